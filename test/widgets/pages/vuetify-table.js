import "vuetify/styles";
import { createApp } from "vue";
import { createVuetify } from "vuetify";
import { VApp, VDataTable } from "vuetify/components";
import { useRecords } from "./shared/vue.js";

createApp({
  components: { VApp, VDataTable },
  setup: () => ({
    items: useRecords(() => "/data/people"),
    headers: [
      { title: "Name", key: "name" },
      { title: "Office", key: "office" },
      { title: "Age", key: "age" },
    ],
  }),
  template: `<v-app><v-data-table :headers="headers" :items="items"></v-data-table></v-app>`,
})
  .use(createVuetify())
  .mount("#root");
