import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import type { Scraper } from "../../functions/contract/scrapers/scraper.ts";
import { joinWorld, type World } from "./harness.ts";

let world: World;
beforeAll(async () => {
  world = await joinWorld();
});
afterAll(() => world.stop());

const remove = (id: string) =>
  fetch(`${world.service.url}/v1/runs/${id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${world.service.credentials.api_key}` },
  });

test("a finished run is deleted; one in progress has to be stopped first", async () => {
  const scraper = await world.putScraper({
    name: "Books",
    steps: [
      { type: "visit", url: `${world.shopUrl}/books` },
      { type: "get_list", selector: ".book-card", fields: [{ name: "title", selector: ".book-title" }] },
    ],
  });
  const create = (key: string) =>
    world.post("/v1/runs", { scraper_id: scraper.id }, { "idempotency-key": key });
  const { body: first } = await create("first");
  const { body: second } = await create("second");
  const refused = await remove(second.id);
  expect(refused.status).toBe(409);
  expect((await refused.json()) as object).toMatchObject({
    message: expect.stringContaining("Stop it first"),
  });
  await world.finished(first.id);
  await world.finished(second.id);

  expect((await remove(second.id)).status).toBe(204);
  expect((await remove(second.id)).status).toBe(404);
  expect((await world.call(`/v1/runs/${second.id}`)).status).toBe(404);
  expect((await create("second")).status).toBe(409);
  const list = await world.call<{ data: Run[]; next_page: number | null }>("/v1/runs?rows=false");
  expect(list.body.data.map(({ id }) => id)).toEqual([first.id]);
  const { body } = await world.call<Scraper>(`/v1/scrapers/${scraper.id}`);
  expect(body.last_run?.id).toBe(first.id);
});
