/** Lines over standard input and output. The SDK's own drops `"params": null`, and closes at a line over 10 MB. */
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type ErrorAnswer, type Incoming, readIncoming, refuseLong } from './incoming.js';

const maxLineBytes = 10 * 1024 * 1024;

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private parts: Buffer[] = [];
  private bytes = 0;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', this.receive);
    this.input.on('error', this.fail);
  }

  async send(message: JSONRPCMessage | ErrorAnswer): Promise<void> {
    if (this.output.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise((resolve) => this.output.once('drain', resolve));
  }

  async close(): Promise<void> {
    this.input.off('data', this.receive);
    this.input.off('error', this.fail);
    if (this.input.listenerCount('data') === 0) this.input.pause();
    this.parts = [];
    this.onclose?.();
  }

  private readonly receive = (chunk: Buffer): void => {
    let rest = chunk;
    for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed)) {
      this.keep(rest.subarray(0, end));
      this.finishLine();
      rest = rest.subarray(end + 1);
    }
    this.keep(rest);
  };

  private readonly fail = (error: Error): void => this.onerror?.(error);

  private keep(part: Buffer): void {
    if (part.length === 0) return;
    this.bytes += part.length;
    if (this.bytes <= maxLineBytes) this.parts.push(part);
    else this.parts = [];
  }

  private finishLine(): void {
    const line = Buffer.concat(this.parts).toString('utf8');
    const isTooLong = this.bytes > maxLineBytes;
    this.parts = [];
    this.bytes = 0;
    if (isTooLong) this.handle(refuseLong(maxLineBytes));
    else if (line.trim() !== '') this.handle(readIncoming(line));
  }

  private handle(incoming: Incoming): void {
    switch (incoming.kind) {
      case 'message':
        try {
          this.onmessage?.(incoming.message);
        } catch (error) {
          this.onerror?.(error instanceof Error ? error : new Error(String(error)));
        }
        return;
      case 'refused':
        this.onerror?.(new Error(`refused: ${incoming.answer.error.message}`));
        void this.send(incoming.answer);
        return;
      case 'dropped':
        this.onerror?.(new Error(`dropped ${incoming.why}`));
        return;
    }
  }
}

const lineFeed = 0x0a;
