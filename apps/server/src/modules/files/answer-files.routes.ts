import { answerFileRoutes, limits, participantRoutes } from '@atrium/contract'
import type { ArrivalRules } from '../../http/arrivals.ts'
import type { Routes } from '../../http/route.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Identity, signedBy } from '../identity/index.ts'
import type { AuditEntry } from '../operations/index.ts'
import type { Privacy } from '../privacy/index.ts'
import type { SessionRecord } from '../sessions/index.ts'
import type { AnswerFiles } from './answer-files.ts'

export interface UploadedAnswerDeps {
  files: AnswerFiles
  /** Where files are kept while they arrive. */
  arrivals: Omit<ArrivalRules, 'places'>
  refuseForeignClaims(session: SessionRecord, claims: { experimentId?: string; roomId?: string }): void
}

export interface AnswerFileRouteDeps {
  files: AnswerFiles
  privacy: Pick<Privacy, 'requireKnown'>
  clock: Clock
  audit(entry: AuditEntry): Promise<void>
}

export function addUploadedAnswerRoute(
  routes: Routes<Identity, SessionRecord>,
  { files, arrivals, refuseForeignClaims }: UploadedAnswerDeps,
): void {
  routes.addFile(
    participantRoutes.fileV4,
    {
      ...arrivals,
      places: limits.answerFilesArriving,
      maxBytes: limits.answerFileBytes,
      refuse: () => undefined,
      // Before the file is read: nobody sends 25 MiB to be told that they are not wanted.
      admit: async ({ session, query, params }) => {
        refuseForeignClaims(session, query)
        await files.admit(session, params.componentId)
      },
    },
    async ({ session, params, body }) =>
      await files.store(session, await files.admit(session, params.componentId), body),
  )
}

export function addAnswerFileRoutes(
  routes: Routes<Identity>,
  { files, privacy, clock, audit }: AnswerFileRouteDeps,
): void {
  routes.add(answerFileRoutes.download, async ({ params, identity, reply }) => {
    const { experimentId, participantId, fileId } = params
    await privacy.requireKnown({ experimentId, participantId })
    const file = await files.open(participantId, fileId)
    if (!file) throw new AppError('NOT_FOUND', {}, 'There is no such file.')
    await audit({
      at: clock.now(),
      actor: signedBy(identity),
      action: 'file_downloaded',
      subject: experimentId,
      details: { bytes: file.size },
    })
    reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="${fileId}"`)
      .header('content-length', String(file.size))
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'private, no-store')
      .header('x-content-type-options', 'nosniff')
    return file.stream
  })
}
