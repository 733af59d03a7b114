import "vuetify/styles";
import { createApp, ref } from "vue";
import { createVuetify } from "vuetify";
import { VApp, VContainer, VMain, VSelect } from "vuetify/components";
import { genres } from "../data.ts";
import { Books } from "./shared/vue.js";

createApp({
  components: { VApp, VMain, VContainer, VSelect, Books },
  setup: () => ({ genre: ref(null), genres }),
  template: `
    <v-app>
      <v-main>
        <v-container>
          <v-select v-model="genre" label="Genre" :items="genres"></v-select>
          <Books :genre="genre" />
        </v-container>
      </v-main>
    </v-app>`,
})
  .use(createVuetify())
  .mount("#root");
