import { appendFile, rename, stat } from 'node:fs/promises';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** The largest size of a file, in bytes; then it is renamed, and a new one begins. */
const LARGEST_BYTES = 8 * 1024 * 1024;

/**
 * Writes spans into a file: each line is a `TracesData` of OTLP as JSON (OpenTelemetry specification, "OpenTelemetry Protocol File
 * Exporter"). There are at most two files, `x.jsonl` and its predecessor `x.1.jsonl`; only their owner may read them.
 */
export class FileExporter implements SpanExporter {
  readonly #file: string;
  readonly #largestBytes: number;
  #written: Promise<void> = Promise.resolve();

  constructor(file: string, largestBytes = LARGEST_BYTES) {
    this.#file = file;
    this.#largestBytes = largestBytes;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const line = Buffer.concat([
      JsonTraceSerializer.serializeRequest(spans) ?? Buffer.of(),
      Buffer.from('\n'),
    ]);
    this.#written = this.#written
      .then(() => this.#write(line))
      .then(
        () => done({ code: ExportResultCode.SUCCESS }),
        (error: Error) => done({ code: ExportResultCode.FAILED, error }),
      );
  }

  async shutdown(): Promise<void> {
    await this.#written;
  }

  async #write(line: Uint8Array): Promise<void> {
    const { size } = await stat(this.#file).catch(() => ({ size: 0 }));
    if (size > 0 && size + line.length > this.#largestBytes)
      await rename(this.#file, this.#file.replace(/(\.jsonl)?$/, '.1$1'));
    await appendFile(this.#file, line, { mode: 0o600 });
  }
}
