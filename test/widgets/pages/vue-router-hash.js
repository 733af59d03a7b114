import { createApp } from "vue";
import { createRouter, createWebHashHistory } from "vue-router";
import { routes } from "./shared/vue-routes.js";

const router = createRouter({ history: createWebHashHistory(), routes });
createApp({ template: "<nav><RouterLink to='/'>All books</RouterLink></nav><main><RouterView /></main>" })
  .use(router)
  .mount("#root");
