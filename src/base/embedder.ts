/** Type of the model that turns texts into vectors, so that search can compare the meaning of texts. */

/**
 * Each method rejects if the model fails. Vectors have the length 1, so their dot product is the similarity
 * of the texts.
 */
export interface Embedder {
  /** Name of the model. Vectors of different models can't be compared. */
  readonly model: string;
  /** Returns the vector of a text that a reader waits for. */
  embedQuestion(text: string): Promise<Float32Array>;
  /** Returns the vectors of passages of the documentation, in the same order. */
  embedPassages(texts: readonly string[]): Promise<Float32Array[]>;
}
