import type { Readable } from 'node:stream'
import { type ExperimentDefinition, limits, mayBeSeenBy, objectKeys } from '@atrium/contract'
import { acceptedFileOf, componentTypeOf, isAcceptedType, namesStoredFile } from '@atrium/contract/components'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import { newFileId } from '../../kernel/ids.ts'
import { type Quota, quotaExceeded } from '../../kernel/quota.ts'
import { retryWhileUnavailable } from '../../kernel/retry-while-unavailable.ts'
import type { Space } from '../../kernel/space.ts'
import type { BlobStore, OpenBlob } from '../../ports/blob-store.ts'
import type { Experiments } from '../experiments/index.ts'
import { assignedRoleOf, type SessionRecord, type Sessions } from '../sessions/index.ts'
import type { FileStore } from './files.store.ts'

export interface AnswerFilesDeps {
  store: FileStore
  quota: Quota
  space: Pick<Space, 'require'>
  objects<Value>(act: (blobs: BlobStore) => Promise<Value>): Promise<Value>
  hasObjects: boolean
  experiments: Pick<Experiments, 'definition'>
  sessions: Pick<Sessions, 'readAgain' | 'requireConsent'>
}

/** Of a file that is read in pieces. */
const bytesPerPiece = 1_048_576

interface ArrivedFile {
  contentType: string
  size: number
  open(): Readable
}

export interface AnswerFiles {
  /** FI1: throws unless this participant may upload a file for the component. */
  admit(session: SessionRecord, componentId: string): Promise<{ maxBytes: number; accept: readonly string[] }>
  store(
    session: SessionRecord,
    accepted: { maxBytes: number; accept: readonly string[] },
    file: ArrivedFile,
  ): Promise<{ fileId: string; size: number }>
  /** FI3: undefined if the value names no file, so that most answers are not held up. */
  check(session: SessionRecord, componentId: string, value: unknown): Promise<void> | undefined
  /** FI4: undefined if there is none. */
  open(participantId: string, fileId: string): Promise<OpenBlob | undefined>
  /**
   * FI7: its bytes in pieces, each of which is asked for when the one before has been taken: a reader who gives up leaves
   * nothing open. Undefined if there is none.
   */
  read(participantId: string, fileId: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** FI5 */
  eraseOf(participantId: string): Promise<void>
}

/** Files that participants give as answers; their rules are in SPEC.md. */
export function createAnswerFiles(deps: AnswerFilesDeps): AnswerFiles {
  const { objects, hasObjects, experiments, sessions } = deps
  const keyOf = (participantId: string, fileId: string): string =>
    objectKeys.answersOf(participantId) + fileId

  async function refuseTooMany(participantId: string): Promise<void> {
    const keys = await objects((blobs) => blobs.list(objectKeys.answersOf(participantId)))
    if (keys.length >= limits.answerFilesPerParticipant)
      throw new AppError('ACTION_REFUSED', {}, 'You have uploaded as many files as this study takes.')
  }

  return {
    async admit(session, componentId) {
      const current = session.roomId === null ? await sessions.readAgain(session.sessionId) : session
      if (current.roomId === null) throw notWanted(componentId)
      await sessions.requireConsent(current)
      deps.space.require('data')
      const definition = await experiments.definition(current.experimentId, current.revision)
      const accepted = componentsFor(definition, componentId, assignedRoleOf(current, definition))
        .map(acceptedFileOf)
        .find((each) => each !== undefined)
      if (!accepted) throw notWanted(componentId)
      return accepted
    },

    async store(session, accepted, file) {
      const { size, contentType } = file
      if (size > accepted.maxBytes)
        throw new AppError(
          'PAYLOAD_TOO_LARGE',
          { maxBytes: accepted.maxBytes },
          `The file has more than ${accepted.maxBytes} bytes.`,
        )
      if (!isAcceptedType(accepted.accept, contentType.replace(/;.*/s, '').trim()))
        throw validationFailed([
          { path: '/file', message: `must have one of these types: ${accepted.accept.join(', ')}` },
        ])
      await refuseTooMany(session.participantId)
      const fileId = newFileId()
      const key = keyOf(session.participantId, fileId)
      // Not the type that the browser claims: nothing must ever show it as what it says it is.
      const facts = { size, contentType: 'application/octet-stream' }
      await putWithin(deps, session, size, async () => {
        await objects((blobs) => blobs.put(key, file.open(), facts))
        await requireStillThere(deps, session, key)
      })
      return { fileId, size }
    },

    check(session, componentId, value) {
      if (!namesStoredFile(value)) return undefined
      const { fileId, size } = value
      return (async () => {
        const definition = await experiments.definition(session.experimentId, session.revision)
        const isFile = componentsFor(definition, componentId, null).some(
          ({ type }) => componentTypeOf(type).takesFile,
        )
        if (!isFile) return
        const stored = await objects((blobs) => blobs.head(keyOf(session.participantId, fileId)))
        if (stored?.size !== size)
          throw new AppError('ACTION_REFUSED', {}, 'The file has not arrived. Please upload it again.')
      })()
    },

    async open(participantId, fileId) {
      return await objects((blobs) => blobs.open(keyOf(participantId, fileId)))
    },

    async read(participantId, fileId) {
      const key = keyOf(participantId, fileId)
      const found = hasObjects ? await objects((blobs) => blobs.head(key)) : undefined
      return found && pieces(objects, key, found.size)
    },

    async eraseOf(participantId) {
      if (hasObjects) await objects((blobs) => blobs.removeAll(objectKeys.answersOf(participantId)))
    },
  }
}

const notWanted = (componentId: string): AppError =>
  new AppError('ACTION_REFUSED', {}, `No file is wanted for ‘${componentId}’.`)

/** Those of the name that somebody with the role may see; with null, anybody. */
function componentsFor(
  { states, globalComponents = [], blocks }: ExperimentDefinition,
  componentId: string,
  role: string | null,
) {
  const seen = role === null ? undefined : mayBeSeenBy(role, blocks)
  return [
    ...states.flatMap((state) =>
      state.components.filter((component) => !seen || seen.inState(state, component)),
    ),
    ...globalComponents.filter((component) => !seen || seen.inAllStates(component)),
  ].filter(({ id }) => id === componentId)
}

/** FI9: counted before it is put, so that no number of files that arrive together exceeds a quota. */
async function putWithin(
  { store, quota }: AnswerFilesDeps,
  { sessionId }: SessionRecord,
  bytes: number,
  put: () => Promise<void>,
): Promise<void> {
  const over = await store.reserve({ sessionId, bytes }, quota)
  if (over) throw quotaExceeded(over)
  try {
    await put()
  } catch (error) {
    // If this fails too, too much is counted: a study that is refused a little early has lost nothing.
    await store.release({ sessionId, bytes }).catch(() => undefined)
    throw error
  }
}

/** FI5: after a deletion nothing may be left, also of what was on its way. */
async function requireStillThere(
  { objects, sessions }: AnswerFilesDeps,
  { sessionId }: SessionRecord,
  key: string,
): Promise<void> {
  try {
    const { status } = await sessions.readAgain(sessionId)
    if (status === 'active') return
  } catch (error) {
    await objects((blobs) => blobs.removeAll(key))
    throw error
  }
  await objects((blobs) => blobs.removeAll(key))
  throw new AppError('SESSION_INVALID')
}

async function* pieces(
  objects: AnswerFilesDeps['objects'],
  key: string,
  size: number,
): AsyncGenerator<Uint8Array> {
  for (let first = 0; first < size; first += bytesPerPiece) {
    const last = Math.min(first + bytesPerPiece, size) - 1
    yield await retryWhileUnavailable(() =>
      objects(async (blobs) => {
        const piece = await blobs.open(key, { first, last })
        if (!piece) throw new AppError('NOT_FOUND', {}, 'The file was deleted while it was read.')
        const chunks: Uint8Array[] = []
        for await (const chunk of piece.stream) chunks.push(chunk)
        return Buffer.concat(chunks)
      }),
    )
  }
}
