/** A call that is refused, with the status and code that the caller sees. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string = code) {
    super(message);
    this.status = status;
    this.code = code;
  }

  get body(): object {
    return { error: { code: this.code, message: this.message } };
  }
}
