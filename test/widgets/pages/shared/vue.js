import { onMounted, ref, watch } from "vue";

/** The records that the server returns for the address of `addressOf`; an empty array until they have arrived. */
export function useRecords(addressOf) {
  const records = ref([]);
  const load = async () => {
    const response = await fetch(addressOf());
    records.value = (await response.json()).rows;
  };
  onMounted(load);
  watch(addressOf, load);
  return records;
}

/** A list of the books of a genre. Without a genre, the first 20 books. */
export const Books = {
  props: ["genre"],
  setup: (props) => ({
    books: useRecords(() => (props.genre ? `/data/books?genre=${props.genre}` : "/data/books?limit=20")),
  }),
  template: `<ul id="list"><li class="book" v-for="book in books" :key="book.id"><b>{{ book.title }}</b> <i>{{ book.price }}</i></li></ul>`,
};
