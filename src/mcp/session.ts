/**
 * One client's session: the handshake and the requests on the SDK's protocol engine. The SDK's own Server class loads a
 * JSON Schema compiler, for forms that we never ask a client to fill in: 12 ms of start-up.
 */
import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  ErrorCode,
  InitializedNotificationSchema,
  InitializeRequestSchema,
  LATEST_PROTOCOL_VERSION,
  ListRootsResultSchema,
  type Notification,
  type Request,
  type Result,
  RootsListChangedNotificationSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { maskText } from '../events/note/mask-text.js';
import { instructions } from './instructions.js';

/** Handlers by method; `params` are as the client sent them. */
export type RequestHandlers = Readonly<Record<string, (params: unknown) => Promise<Result>>>;

/** An error of the protocol: the request could not be understood, or asks for something that does not exist. */
export class RequestError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export const invalidParams = (message: string): RequestError => new RequestError(ErrorCode.InvalidParams, message);

export class Session extends Protocol<Request, Notification, Result> {
  /** Name of the client, on one line. A client without a name gets one, because it is a program and not a person. */
  agent: string = namelessClient;
  private hasRoots = false;
  private roots: Promise<readonly string[]> | undefined;
  private readonly pending = new Set<Promise<unknown>>();

  constructor(handlers: RequestHandlers, onInitialized: () => Promise<void>) {
    super();
    this.setNotificationHandler(InitializedNotificationSchema, () => this.track(onInitialized()));
    this.setNotificationHandler(RootsListChangedNotificationSchema, () => {
      this.roots = undefined;
    });
    this.fallbackRequestHandler = ({ method, params }) => {
      if (method === 'initialize') return this.introduce({ method, params });
      const handle = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
      if (handle === undefined)
        throw new RequestError(ErrorCode.MethodNotFound, `there is no method ${method.slice(0, 100)}`);
      return this.track(handle(params));
    };
  }

  /** Addresses of the folders that the client works in, asked for once; empty if it does not say. */
  listRoots(): Promise<readonly string[]> {
    if (!this.hasRoots) return Promise.resolve([]);
    this.roots ??= this.request({ method: 'roots/list' }, ListRootsResultSchema, { timeout: rootsTimeoutMs })
      .then(({ roots }) => roots.map(({ uri }) => uri))
      // One that doesn't answer must not delay every write.
      .catch(() => []);
    return this.roots;
  }

  /** Resolves when every request so far has been answered. */
  async settled(): Promise<void> {
    while (this.pending.size > 0) await Promise.allSettled(this.pending);
  }

  private async introduce(request: Request): Promise<Result> {
    const parsed = InitializeRequestSchema.safeParse(request);
    if (!parsed.success) throw invalidParams('initialize needs protocolVersion, capabilities and clientInfo');
    const { protocolVersion, clientInfo, capabilities } = parsed.data.params;
    this.hasRoots = capabilities.roots !== undefined;
    this.agent = cleanName(clientInfo.name);
    return {
      protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
        ? protocolVersion
        : LATEST_PROTOCOL_VERSION,
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      serverInfo: { name: 'anamnesis', title: 'Anamnesis', version: process.env.ANAMNESIS_VERSION ?? '0.0.0' },
      instructions,
    };
  }

  private async track<Answer>(work: Promise<Answer>): Promise<Answer> {
    this.pending.add(work);
    try {
      return await work;
    } finally {
      this.pending.delete(work);
    }
  }

  // Nothing to check: roots are all that we ask a client for, and only one that has them.
  protected override assertCapabilityForMethod(): void {}
  protected override assertNotificationCapability(): void {}
  protected override assertRequestHandlerCapability(): void {}
  protected override assertTaskCapability(): void {}
  protected override assertTaskHandlerCapability(): void {}
}

const maxAgentChars = 100;
/** A client that doesn't answer must not delay a write. */
const rootsTimeoutMs = 2000;
const namelessClient = 'unnamed client';

/** Makes the name one line, for front matter and commit trailers; masks it before cutting it. */
const cleanName = (name: string): string => {
  const line = maskText(name)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return line === '' ? namelessClient : [...line].slice(0, maxAgentChars).join('').trimEnd();
};
