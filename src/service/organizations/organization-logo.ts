/** Stores the logos of organizations, which the dashboard shows in its header. */

import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { imageSize } from "image-size";
import { AppError, fieldThat, invalid } from "../../base/app-error.ts";
import type { Service } from "../core/service.ts";
import { readWhole } from "../http/read-body.ts";

/** Maximum size of a logo's file in bytes. */
const logo_bytes = 200_000;
/** Maximum width and height of a logo in pixels. */
const logo_pixels = 4_000;

const types: Readonly<Record<string, string>> = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" };

/**
 * Stores or replaces a logo. Throws an AppError if the content isn't a PNG, JPEG or WebP image, or is too
 * large.
 */
export async function setLogo(
  { db }: Pick<Service, "db">,
  organizationId: string,
  file: Readable,
): Promise<void> {
  const bytes = await readWhole(file, logo_bytes, "file").catch((error: unknown) => {
    throw error instanceof AppError && error.code === "too-large"
      ? invalid("Invalid logo", fieldThat("logo", "must be at most 200 KB"))
      : error;
  });
  const values = { type: typeOf(bytes), bytes, hash: createHash("sha256").update(bytes).digest("hex") };
  await db
    .insertInto("organization_logos")
    .values({ organization_id: organizationId, ...values })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(values))
    .execute();
}

function typeOf(bytes: Buffer): string {
  let size: ReturnType<typeof imageSize> | undefined;
  try {
    size = imageSize(bytes);
  } catch {
    // Reported below.
  }
  const type = types[size?.type ?? ""];
  if (!size || type === undefined)
    throw invalid("Invalid logo", fieldThat("logo", "must be a PNG, JPEG, or WebP image"));
  if (size.width > logo_pixels || size.height > logo_pixels)
    throw invalid("Invalid logo", fieldThat("logo", `must be at most ${logo_pixels} pixels wide and tall`));
  return type;
}

/** Removes a logo. Does nothing if the organization has none. */
export async function removeLogo({ db }: Pick<Service, "db">, organizationId: string): Promise<void> {
  await db.deleteFrom("organization_logos").where("organization_id", "=", organizationId).execute();
}

/** Returns the logo of an organization. Undefined if it has none. */
export function getLogo(
  { db }: Pick<Service, "db">,
  organizationId: string,
): Promise<{ type: string; bytes: Buffer } | undefined> {
  return db
    .selectFrom("organization_logos")
    .select(["type", "bytes"])
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
}
