import type { Task } from "../task.ts";
import { apps } from "./apps.ts";
import { carousels } from "./carousels.ts";
import { dropdowns } from "./dropdowns.ts";
import { fields } from "./fields.ts";
import { overlays } from "./overlays.ts";
import { routes } from "./routes.ts";
import { serverRendered } from "./server-rendered.ts";
import { tables } from "./tables.ts";
import { windowedLists } from "./windowed.ts";

export const tasks: readonly Task[] = [
  ...tables,
  ...serverRendered,
  ...windowedLists,
  ...apps,
  ...routes,
  ...fields,
  ...dropdowns,
  ...overlays,
  ...carousels,
];
