import Aura from "@primeuix/themes/aura";
import PrimeVue from "primevue/config";
import Select from "primevue/select";
import { createApp, ref } from "vue";
import { genres } from "../data.ts";
import { Books } from "./shared/vue.js";

createApp({
  components: { Select, Books },
  setup: () => ({ selected: ref(), options: genres.map((name) => ({ name, code: name.slice(0, 2) })) }),
  template: `
    <Select v-model="selected" :options="options" optionLabel="name" placeholder="Select a Genre" />
    <Books :genre="selected?.name" />`,
})
  .use(PrimeVue, { theme: { preset: Aura } })
  .mount("#root");
