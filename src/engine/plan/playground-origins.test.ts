import { expect, test } from "vitest";
import { playgroundOrigins } from "./playground-origins.ts";

test("playgrounds may call the servers and all endpoints of OAuth flows that receive credentials", () => {
  const flow = {
    authorizationUrl: "https://window.example.com/authorize",
    deviceAuthorizationUrl: "https://device.example.com/device",
    tokenUrl: "/token",
    refreshUrl: "https://refresh.example.com/token",
  };
  const root = {
    components: { securitySchemes: { oauth: { type: "oauth2", flows: { deviceAuthorization: flow } } } },
  };
  const servers = [{ url: "https://api.example.com/v1", variables: [] }];
  const site = { pages: new Map([["page", {}]]) };
  const playgrounds = { of: () => ({ data: { root }, servers }) };
  expect([...playgroundOrigins(site as never, playgrounds as never)].sort()).toEqual([
    "https://api.example.com",
    "https://device.example.com",
    "https://refresh.example.com",
  ]);
});
