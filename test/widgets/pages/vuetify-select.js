import "vuetify/styles";
import { createApp, ref } from "vue";
import { createVuetify } from "vuetify";
import { VApp, VSelect } from "vuetify/components";
import { genres } from "../data.ts";
import { Books } from "./shared/vue.js";

createApp({
  components: { VApp, VSelect, Books },
  setup: () => ({ genre: ref(null), genres }),
  template: `<v-app><v-select v-model="genre" label="Genre" :items="genres"></v-select><Books :genre="genre" /></v-app>`,
})
  .use(createVuetify())
  .mount("#root");
