import { Readable } from 'node:stream'
import { limits } from '@atrium/contract'
import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { createAnswerFiles } from '../../src/modules/files/index.ts'
import { createObjectAccess } from '../../src/modules/media/object-access.ts'
import type { BlobStore } from '../../src/ports/blob-store.ts'
import { createMemoryBlobs } from '../media/memory-blobs.ts'
import { noQuota } from '../no-quota.ts'
import { describeOnBothEngines } from '../stores/engines.ts'
import { joined, openExperiment } from '../stores/samples.ts'

describeOnBothEngines('files of a participant', (engine) => {
  const filesIn = async (blobs: BlobStore | undefined) => {
    const { database } = engine()
    const session = await joined(database, await openExperiment(database))
    const files = createAnswerFiles({
      store: database.files,
      quota: noQuota,
      space: { require: () => undefined },
      objects: createObjectAccess(blobs),
      hasObjects: blobs !== undefined,
      experiments: { definition: async () => smallestDefinition() },
      sessions: { readAgain: async () => session, requireConsent: async () => undefined },
    })
    const accepted = { maxBytes: 1_000, accept: ['image/*'] }
    const picture = { contentType: 'image/png', size: 6, open: () => Readable.from(['pixels']) }
    return { session, files, store: () => files.store(session, accepted, picture) }
  }

  test('[FI2] the server gives each its id, and takes a hundred of one participant', async () => {
    const { store } = await filesIn(createMemoryBlobs().blobs)
    const ids = new Set<string>()
    for (let count = 0; count < limits.answerFilesPerParticipant; count++) ids.add((await store()).fileId)
    expect([ids.size, limits.answerFilesPerParticipant]).toEqual([100, 100])
    await expect(store()).rejects.toMatchObject({ code: 'ACTION_REFUSED' })
  })

  test('[FI6] without an object store, an upload is refused and answers without a file are not', async () => {
    const { session, files, store } = await filesIn(undefined)
    await expect(store()).rejects.toMatchObject({ code: 'VIDEO_OFF' })
    expect(files.check(session, 'words', 'no file')).toBeUndefined()
    expect(await files.read(session.participantId, 'file_1')).toBeUndefined()
  })
})
