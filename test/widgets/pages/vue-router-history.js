import { createApp } from "vue";
import { createRouter, createWebHistory } from "vue-router";
import { routes } from "./shared/vue-routes.js";

const router = createRouter({ history: createWebHistory("/vue-router-history"), routes });
createApp({ template: "<nav><RouterLink to='/'>All books</RouterLink></nav><main><RouterView /></main>" })
  .use(router)
  .mount("#root");
