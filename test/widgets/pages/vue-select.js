import "vue-select/dist/vue-select.css";
import { createApp, ref } from "vue";
import VSelect from "vue-select";
import { genres } from "../data.ts";
import { Books } from "./shared/vue.js";

createApp({
  components: { VSelect, Books },
  setup: () => ({ genre: ref(null), genres }),
  template: `<label for="genre">Genre</label><v-select input-id="genre" :options="genres" v-model="genre"></v-select><Books :genre="genre" />`,
}).mount("#root");
