import { createBrowserRouter, RouterProvider } from "react-router";
import { show } from "./shared/react.jsx";
import { routes } from "./shared/react-routes.jsx";

const router = createBrowserRouter(routes, { basename: "/react-router-history" });
show(() => <RouterProvider router={router} />);
