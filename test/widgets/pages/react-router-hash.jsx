import { createHashRouter, RouterProvider } from "react-router";
import { show } from "./shared/react.jsx";
import { routes } from "./shared/react-routes.jsx";

const router = createHashRouter(routes);
show(() => <RouterProvider router={router} />);
