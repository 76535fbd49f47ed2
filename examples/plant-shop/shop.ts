/** Keeps the data of the demo API: a plant shop in memory, reset at each start. */

export const kinds = ["foliage", "succulent", "fern", "herb"] as const;

export interface Plant {
  id: string;
  name: string;
  latinName?: string;
  kind: (typeof kinds)[number];
  priceCents: number;
  /** Height of the plant in centimeters. */
  height: number;
  light: number;
  waterEveryDays: number | null;
  tags: string[];
  notes: Record<string, string>;
  createdAt: string;
}

export interface Photo {
  type: string;
  bytes: Uint8Array;
  caption?: string;
}

/** Fields of a plant that clients can set. */
export type PlantInput = Omit<Plant, "id" | "createdAt">;

/** Maximum number of plants, to limit memory. */
const plants_count = 500;
/** Maximum number of photos, to limit memory. The oldest one is removed. */
const photos_count = 50;

/** Stores the plants and photos, by ID. */
export class Shop {
  readonly plants = new Map<string, Plant>(structuredClone(seedlings).map((plant) => [plant.id, plant]));
  readonly photos = new Map<string, Photo>();

  /**
   * Returns one page of the matching plants. `page` starts at 1. `total`: number of matching plants on all
   * pages.
   */
  list(filter: (plant: Plant) => boolean, page: number, limit: number): { items: Plant[]; total: number } {
    const found = [...this.plants.values()].filter(filter);
    return { items: found.slice((page - 1) * limit, page * limit), total: found.length };
  }

  /** Adds a plant. Undefined if the shop is full. */
  add(input: PlantInput, createdAt: string): Plant | undefined {
    if (this.plants.size >= plants_count) return undefined;
    const stem =
      input.name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "") || "plant";
    let id = stem;
    for (let n = 2; this.plants.has(id); n++) id = `${stem}-${n}`;
    const plant = { id, ...input, createdAt };
    this.plants.set(id, plant);
    return plant;
  }

  remove(id: string): boolean {
    this.photos.delete(id);
    return this.plants.delete(id);
  }

  addPhoto(id: string, photo: Photo): void {
    const [oldest] = this.photos.keys();
    if (this.photos.size >= photos_count && oldest !== undefined) this.photos.delete(oldest);
    this.photos.set(id, photo);
  }
}

/**
 * Validates a plant from a client. Returns a message for each invalid, missing or unknown field. `partial`:
 * no field is required.
 */
export function plantErrors(value: unknown, partial: boolean): { field: string; message: string }[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [{ field: "", message: "must be an object" }];
  const given = value as Record<string, unknown>;
  const mistakes: { field: string; message: string }[] = [];
  for (const [field, { message, isValid, required }] of Object.entries(rules)) {
    const value = given[field];
    if (value === undefined ? required && !partial : !isValid(value)) mistakes.push({ field, message });
  }
  for (const field of Object.keys(given))
    if (!Object.hasOwn(rules, field)) mistakes.push({ field, message: "isn't a plant field" });
  return mistakes;
}

interface Rule {
  message: string;
  required?: boolean;
  isValid(value: unknown): boolean;
}

const isWhole = (value: unknown, min: number, max: number) =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
const isText = (value: unknown, max: number): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= max;

const rules: Record<keyof PlantInput, Rule> = {
  name: { message: "must have 1 to 80 characters", required: true, isValid: (value) => isText(value, 80) },
  latinName: { message: "must have 1 to 80 characters", isValid: (value) => isText(value, 80) },
  kind: {
    message: `must be one of ${kinds.join(", ")}`,
    required: true,
    isValid: (value) => kinds.some((kind) => kind === value),
  },
  priceCents: {
    message: "must be an integer from 0 to 1000000",
    required: true,
    isValid: (value) => isWhole(value, 0, 1_000_000),
  },
  height: {
    message: "must be greater than 0 and at most 3000",
    isValid: (value) => typeof value === "number" && value > 0 && value <= 3000,
  },
  light: { message: "must be an integer from 1 to 5", isValid: (value) => isWhole(value, 1, 5) },
  waterEveryDays: {
    message: "must be an integer from 1 to 90, or null",
    isValid: (value) => value === null || isWhole(value, 1, 90),
  },
  tags: {
    message: "must be a list of at most 8 different tags, each with 1 to 30 characters",
    isValid: (value) =>
      Array.isArray(value) &&
      value.length <= 8 &&
      new Set(value).size === value.length &&
      value.every((tag) => isText(tag, 30)),
  },
  notes: {
    message: "must be an object with at most 20 strings",
    isValid: (value) =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length <= 20 &&
      Object.values(value).every((note) => typeof note === "string" && note.length <= 500),
  },
};

/** Default values of optional fields. */
export const plantDefaults: Omit<PlantInput, "name" | "kind" | "priceCents"> = {
  height: 20,
  light: 3,
  waterEveryDays: 7,
  tags: [],
  notes: {},
};

const seedlings: Plant[] = (
  [
    ["monstera", "Monstera", "Monstera deliciosa", "foliage", 3490, 65, 3, 7, ["large", "easy"]],
    ["pothos", "Golden pothos", "Epipremnum aureum", "foliage", 1290, 25, 2, 8, ["easy", "hanging"]],
    ["snake-plant", "Snake plant", "Dracaena trifasciata", "foliage", 1990, 50, 1, 21, ["easy"]],
    ["aloe", "Aloe vera", "Aloe vera", "succulent", 1490, 30, 4, 18, ["useful"]],
    ["jade-plant", "Jade plant", "Crassula ovata", "succulent", 1790, 22, 4, 16, []],
    ["living-stone", "Living stone", "Lithops", "succulent", 690, 3, 5, null, ["small"]],
    ["boston-fern", "Boston fern", "Nephrolepis exaltata", "fern", 2190, 40, 2, 3, ["hanging"]],
    ["maidenhair", "Maidenhair fern", "Adiantum", "fern", 1890, 28, 2, 2, ["fussy"]],
    ["staghorn", "Staghorn fern", "Platycerium bifurcatum", "fern", 4290, 45, 3, 10, ["large"]],
    ["basil", "Basil", "Ocimum basilicum", "herb", 390, 18, 5, 2, ["useful"]],
    ["rosemary", "Rosemary", "Salvia rosmarinus", "herb", 590, 35, 5, 6, ["useful"]],
    ["mint", "Mint", "Mentha", "herb", 390, 20, 3, 2, ["useful", "easy"]],
  ] as const
).map(([id, name, latinName, kind, priceCents, height, light, waterEveryDays, tags]) => ({
  id,
  name,
  latinName,
  kind,
  priceCents,
  height,
  light,
  waterEveryDays,
  tags: [...tags],
  notes: {},
  createdAt: "2024-05-17T09:30:00Z",
}));

export interface Category {
  name: string;
  children: Category[];
}

export const categories: Category = {
  name: "Plants",
  children: [
    {
      name: "Indoor",
      children: [
        { name: "Foliage", children: [] },
        { name: "Ferns", children: [{ name: "Hanging", children: [] }] },
      ],
    },
    {
      name: "Sunny sill",
      children: [
        { name: "Succulents", children: [] },
        { name: "Herbs", children: [] },
      ],
    },
  ],
};
