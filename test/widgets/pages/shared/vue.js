import { onMounted, ref, watch } from "vue";

/** What the server has at the address that `addressOf` tells, once it is there. */
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

/** The books of a genre, or twenty of all. */
export const Books = {
  props: ["genre"],
  setup: (props) => ({
    books: useRecords(() => (props.genre ? `/data/books?genre=${props.genre}` : "/data/books?limit=20")),
  }),
  template: `<ul id="list"><li class="book" v-for="book in books" :key="book.id"><b>{{ book.title }}</b> <i>{{ book.price }}</i></li></ul>`,
};
