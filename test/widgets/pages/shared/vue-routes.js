import { useRoute } from "vue-router";
import { useRecords } from "./vue.js";

const Home = {
  setup: () => ({ books: useRecords(() => "/data/books?limit=10") }),
  template: `<ul><li class="item" v-for="book in books" :key="book.id"><RouterLink :to="'/item/' + book.id">{{ book.title }}</RouterLink></li></ul>`,
};

const Item = {
  setup() {
    const route = useRoute();
    return { books: useRecords(() => `/data/books?id=${route.params.id ?? 0}`) };
  },
  template: `<article v-for="book in books" :key="book.id"><h2>{{ book.title }}</h2><p class="author">{{ book.author }}</p><p class="blurb">{{ book.blurb }}</p></article>`,
};

export const routes = [
  { path: "/", component: Home },
  { path: "/item/:id", component: Item },
];
