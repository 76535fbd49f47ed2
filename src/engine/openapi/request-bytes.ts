/** A request's body as bytes, when it is sent. Only here files are read. */
import { isRaw } from "./refs.ts";
import { type HttpRequest, isFileValue, type RequestInputs } from "./request-model.ts";
import { fileBytes, multipartBytes } from "./request-multipart.ts";

/** The bytes to send, with the request's headers as they then must be. Without a body there are no bytes. */
export async function requestBytes(request: HttpRequest): Promise<{ headers: [string, string][]; bytes?: Uint8Array<ArrayBuffer> }> {
  const { body, headers } = request;
  if (!body) return { headers };
  if (body.kind === "text") return { headers, bytes: new TextEncoder().encode(body.text) };
  if (body.kind === "file") return { headers, bytes: await fileBytes(body.file) };
  const { body: sealed, bytes } = await multipartBytes(body);
  const changed = headers.map(([name, value]): [string, string] => [
    name,
    name.toLowerCase() === "content-type" ? value.replace(/boundary=[^;]*$/, `boundary=${sealed.boundary}`) : value,
  ]);
  return { headers: changed, bytes };
}

/** Inputs in which the files inside of a JSON or form body are base64 text. A file as a whole body, or as a part of a multipart one, stays. */
export async function encodeFiles(inputs: RequestInputs): Promise<RequestInputs> {
  const { body } = inputs;
  if (!body || "text" in body.content || isFileValue(body.content.value) || /^\s*multipart\//i.test(body.mediaType)) return inputs;
  return { ...inputs, body: { ...body, content: { value: await filesAsBase64(body.content.value) } } };
}

async function filesAsBase64(value: unknown): Promise<unknown> {
  if (isFileValue(value) && value.file.bytes) return base64(await fileBytes(value.file));
  if (Array.isArray(value)) return Promise.all(value.map(filesAsBase64));
  if (!isRaw(value)) return value;
  return Object.fromEntries(await Promise.all(Object.entries(value).map(async ([key, item]) => [key, await filesAsBase64(item)] as const)));
}

export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
