/** Numbers sources in the order in which an answer names them, while it is being written. Numbers in code are left as they are. */

export class Citations {
  /** Sections in the order of their first marker, by their number among the retrieved ones. */
  readonly order: number[] = [];
  private rest = "";
  /** The run of backticks or tildes that began the code that we are in. */
  private code = "";

  /** `text`: cleaned, so that every marker outside of code names a section. */
  push(text: string): string {
    const whole = this.rest + text;
    // What may go on as a marker or a fence waits.
    const held = /(?:`+|~+|\[\d{0,3}|\n)$/.exec(whole)?.[0] ?? "";
    this.rest = held;
    return this.renumber(whole.slice(0, whole.length - held.length));
  }

  end(): string {
    const last = this.renumber(this.rest);
    this.rest = "";
    return last;
  }

  /** The new number of a section. */
  numberOf(section: number): number {
    const known = this.order.indexOf(section);
    return known >= 0 ? known + 1 : this.order.push(section);
  }

  private renumber(text: string): string {
    return text.replace(/`+|~{3,}|\n\s*\n|\[(\d{1,3})\]/g, (found, number: string | undefined) => {
      if (number !== undefined) return this.code ? found : `[${this.numberOf(Number(number))}]`;
      if (found.startsWith("\n")) {
        // Code within a line does not go on in another paragraph.
        if (this.code.length < 3) this.code = "";
      } else if (!this.code) this.code = found;
      else if (found[0] === this.code[0] && (this.code.length < 3 ? found.length === this.code.length : found.length >= this.code.length))
        this.code = "";
      return found;
    });
  }
}
