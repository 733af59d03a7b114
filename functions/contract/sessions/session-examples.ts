import type { SessionState, SessionView } from "./session.ts";

export const exampleSession: SessionView = {
  name: "shop",
  hosts: ["shop.example.com"],
  saved_at: "2030-01-30T10:00:00.000Z",
};

export const exampleSessionState: SessionState = {
  cookies: [
    {
      name: "sid",
      value: "2f9d3c",
      domain: "shop.example.com",
      path: "/",
      expires: 1_893_456_000,
      httpOnly: true,
      secure: true,
      sameSite: "Lax",
    },
  ],
  origins: [],
};
