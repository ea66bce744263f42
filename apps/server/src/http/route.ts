import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ExperimentAccess, NeededAccess, RouteSpec } from '@atrium/contract'
import { parserFor } from '@atrium/contract'
import { networkOf } from '@atrium/program'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { validationFailed } from '../kernel/app-error.ts'
import { hideSessionIds } from '../kernel/ids.ts'
import type { AccessCheck, Caller, Person, Session } from './caller.ts'
import { type Document, sendDocument } from './document.ts'
import type { Gate } from './gate.ts'
import {
  createFileReceiver,
  createFilesReceiver,
  type FileRules,
  type ReceivedFile,
  type ReceivedFiles,
} from './receive-file.ts'
import type { Uploader } from './upload-shares.ts'

type Typed<Schema> = Schema extends TSchema ? Static<Schema> : undefined

/** What a handler receives, typed by the contract: the caller that the route lets in, and nothing else. */
interface Call<Spec extends RouteSpec, Body, KnownPerson, KnownSession> {
  body: Body
  params: Typed<Spec['params']>
  query: Typed<Spec['query']>
  identity: Spec['auth'] extends 'id_token' | 'researcher' | 'admin' ? KnownPerson : undefined
  /** R37: the caller's access to the experiment that the address names. */
  access: Spec['access'] extends NeededAccess ? ExperimentAccess : undefined
  session: Spec['auth'] extends 'session' ? KnownSession : undefined
  request: FastifyRequest
  reply: FastifyReply
}

interface FileRouteRules<Spec extends RouteSpec, KnownPerson, KnownSession> extends FileRules {
  /** Throws if no file is wanted of this caller; called before anything is read. */
  admit?(call: Omit<Call<Spec, undefined, KnownPerson, KnownSession>, 'body'>): Promise<void>
}

/** Where modules register their routes, with the person and the session that their handlers need. */
export interface Routes<KnownPerson extends Person = Person, KnownSession extends Session = Session> {
  add<Spec extends RouteSpec>(
    spec: Spec,
    handle: (call: Call<Spec, Typed<Spec['body']>, KnownPerson, KnownSession>) => Promise<unknown>,
  ): void
  /** For bodies about which the module has more to say than their schema. */
  addParsing<Spec extends RouteSpec, Body>(
    spec: Spec,
    parseBody: (value: unknown) => Body,
    handle: (call: Call<Spec, Body, KnownPerson, KnownSession>) => Promise<unknown>,
  ): void
  /** For one file in `multipart/form-data`, which is kept on disk until the handler has finished. */
  addFile<Spec extends RouteSpec>(
    spec: Spec,
    rules: FileRouteRules<Spec, KnownPerson, KnownSession>,
    handle: (call: Call<Spec, ReceivedFile, KnownPerson, KnownSession>) => Promise<unknown>,
  ): void
  /** For as many files as the rules allow, kept in the same way. */
  addFiles<Spec extends RouteSpec>(
    spec: Spec,
    rules: FileRouteRules<Spec, KnownPerson, KnownSession>,
    handle: (call: Call<Spec, ReceivedFiles, KnownPerson, KnownSession>) => Promise<unknown>,
  ): void
  /** For texts that are the same for everybody, made when somebody first asks for them. */
  addDocument(spec: RouteSpec, create: () => Document): void
}

/** Registers routes of the contract: gate, access, parsing, handler, envelope. */
export function createRoutes<KnownPerson extends Person, KnownSession extends Session>(
  app: FastifyInstance,
  gate: Pick<Gate<KnownPerson, KnownSession>, 'pass'>,
  accesses: AccessCheck<KnownPerson>,
): Routes<KnownPerson, KnownSession> {
  const callers = new WeakMap<FastifyRequest, Caller<KnownPerson, KnownSession>>()
  const passGate = (spec: RouteSpec) => async (request: FastifyRequest, reply: FastifyReply) =>
    void callers.set(request, await gate.pass(spec, request, reply))

  function register<Spec extends RouteSpec, Body>(
    spec: Spec,
    parseBody: (value: unknown) => Body,
    handle: (call: Call<Spec, Body, KnownPerson, KnownSession>) => Promise<unknown>,
  ): void {
    const parseParams = checkedBy(spec.params, refuseNul)
    const parseQuery = checkedBy(spec.query)
    const isForResearchers = spec.auth === 'researcher' || spec.auth === 'admin'
    const isEnveloped = spec.envelope === 'participant'
    app.route({
      method: spec.method,
      url: spec.path,
      onRequest: passGate(spec),
      handler: async (request, reply) => {
        const params = parseParams(request.params)
        const caller = callers.get(request)
        // Before parsing the body: callers who may not see the experiment must not learn what is wrong with it.
        const access = spec.access
          ? await accesses.admit(spec, params as Record<string, string>, caller?.identity)
          : undefined
        const answer = await handle({
          body: parseBody(request.body === undefined ? {} : request.body),
          params,
          query: parseQuery(request.query),
          ...caller,
          access,
          request,
          reply,
        } as Call<Spec, Body, KnownPerson, KnownSession>)
        // Where callers choose the type, the handler has set it.
        if (spec.success.contentType) {
          if (!reply.hasHeader('content-type')) reply.type(spec.success.contentType)
        } else if (isForResearchers && !spec.showsKey)
          reply.type('application/json; charset=utf-8').serializer(withoutSessionIds)
        return reply
          .code(spec.success.status)
          .send(isEnveloped ? { status: 'success', data: answer } : bodyFor(request, reply, answer))
      },
    })
  }

  /** In a scope of its own: everywhere else only JSON is read, and never as a stream. */
  function registerForm(spec: RouteSpec, handler: RouteHandlerMethod): void {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _body, done) => done(null, undefined))
      scope.route({ method: spec.method, url: spec.path, onRequest: passGate(spec), handler })
    })
  }

  return {
    add<Spec extends RouteSpec>(
      spec: Spec,
      handle: (call: Call<Spec, Typed<Spec['body']>, KnownPerson, KnownSession>) => Promise<unknown>,
    ) {
      register(spec, checkedBy(spec.body) as (value: unknown) => Typed<Spec['body']>, handle)
    },
    addParsing: register,
    addFile(spec, rules, handle) {
      registerForm(spec, fileHandler(spec, rules, createFileReceiver(rules), handle, callers))
    },
    addFiles(spec, rules, handle) {
      registerForm(spec, fileHandler(spec, rules, createFilesReceiver(rules), handle, callers))
    },
    addDocument(spec, create) {
      let kept: Document | undefined
      const document = (): Document => {
        kept ??= create()
        return kept
      }
      app.route({
        method: spec.method,
        url: spec.path,
        onRequest: async (request, reply) => void (await gate.pass(spec, request, reply)),
        handler: (request, reply) => sendDocument(request, reply, document()),
      })
    },
  }
}

function fileHandler<
  Spec extends RouteSpec,
  Received extends Pick<ReceivedFiles, 'discard'>,
  KnownPerson extends Person,
  KnownSession extends Session,
>(
  spec: Spec,
  rules: FileRouteRules<Spec, KnownPerson, KnownSession>,
  receive: (request: IncomingMessage, uploader: Uploader) => Promise<Received>,
  handle: (call: Call<Spec, Received, KnownPerson, KnownSession>) => Promise<unknown>,
  callers: WeakMap<FastifyRequest, Caller<KnownPerson, KnownSession>>,
): RouteHandlerMethod {
  const parseParams = checkedBy(spec.params, refuseNul)
  const parseQuery = checkedBy(spec.query)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callers.get(request)
    const params = parseParams(request.params)
    const call = { params, query: parseQuery(request.query), ...caller, request, reply }
    await rules.admit?.(call as unknown as Parameters<typeof handle>[0])
    const body = await receive(request.raw, uploaderOf(request, caller))
    try {
      const answer = await handle({ ...call, body } as unknown as Parameters<typeof handle>[0])
      return reply
        .code(spec.success.status)
        .send(spec.envelope === 'participant' ? { status: 'success', data: answer } : answer)
    } finally {
      await body.discard()
    }
  }
}

/** People in one room share an address, so a session counts for itself. */
function uploaderOf({ ip }: FastifyRequest, caller: Partial<Caller<Person, Session>> | undefined): Uploader {
  const { identity, session } = caller ?? {}
  const sender = identity ? `${identity.issuer} ${identity.subject}` : (session?.sessionId ?? ip)
  return { study: session?.experimentId ?? '', address: networkOf(ip), sender }
}

function bodyFor({ method }: FastifyRequest, { raw }: FastifyReply, answer: unknown): unknown {
  if (!(answer instanceof Readable)) return answer
  // They have hung up. Fastify would take a stream that nobody can read for a failure of ours.
  if (raw.destroyed) {
    answer.destroy()
    return ''
  }
  if (method !== 'HEAD') return answer
  // Fastify would read a stream to its end and throw it away: a whole export for nobody.
  answer.destroy()
  return Readable.from([])
}

/** R59: what people wrote (a variable of a room, a reason) may contain a session's id. */
const withoutSessionIds = (answer: unknown): string => hideSessionIds(JSON.stringify(answer))

function checkedBy(
  schema: TSchema | undefined,
  checkFirst: (value: unknown) => void = () => undefined,
): (value: unknown) => unknown {
  if (!schema) return () => undefined
  const parser = parserFor(schema)
  return (value) => {
    checkFirst(value)
    const parsed = parser.parse(value)
    if (!parsed.ok) throw validationFailed(parsed.issues)
    return parsed.value
  }
}

/** PostgreSQL rejects any query parameter that contains NUL. */
function refuseNul(params: unknown): void {
  for (const [name, value] of Object.entries(params as Record<string, string>))
    if (value.includes('\0')) throw validationFailed([{ path: `/${name}`, message: 'must not contain NUL' }])
}
