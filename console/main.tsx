import { render } from "preact";
import { watchConnection } from "./api/connection.ts";
import { restoreSession } from "./api/session.ts";
import { App } from "./app.tsx";
import { startClock } from "./format/now.ts";
import { startRouter } from "./router/router.ts";
import "./styles/main.css";

startRouter();
startClock();
watchConnection();
await restoreSession();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
