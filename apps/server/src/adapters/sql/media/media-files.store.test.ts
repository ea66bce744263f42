import { limits } from '@atrium/contract'
import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { newDefinition, startOfTime } from '../../../../test/stores/samples.ts'
import { newExperimentId, newMediaId } from '../../../kernel/ids.ts'
import type { MediaFile } from '../../../modules/media/media-files.store.ts'

const ada = 'urn:x ada'
const bob = 'urn:x bob'
const everything = { owners: null, principals: ['nobody'] }
const sightOf = (owner: string) => ({ owners: [owner], principals: ['nobody'] })
const now = startOfTime
let count = 0

describeOnBothEngines('[R67] the store of pictures and sounds', (engine) => {
  const store = () => engine().database.mediaFiles

  const fileWith = (more: Partial<MediaFile> = {}): MediaFile => ({
    mediaId: newMediaId(),
    owner: ada,
    name: `face ${++count}.png`,
    kind: 'picture',
    contentType: 'image/png',
    bytes: 9_000,
    sha256: 'a'.repeat(64),
    createdAt: now,
    storedAt: now,
    ...more,
  })

  async function created(more: Partial<MediaFile> = {}): Promise<MediaFile> {
    const file = fileWith(more)
    expect(await store().create({ owner: file.owner, files: [file] })).toEqual({
      kind: 'created',
      files: [file],
    })
    return file
  }

  async function studyWith(settings: object, actor = ada, experimentId = newExperimentId()): Promise<string> {
    const globalComponents = [{ id: 'shown', type: 'image', ...settings }]
    const definition = smallestDefinition({ globalComponents })
    const by = { experimentId, actor, now, ...newDefinition(definition) }
    const { experiments } = engine().database
    const exists = await experiments.find(experimentId)
    const outcome = exists ? await experiments.revise(by) : await experiments.create(by)
    expect(exists ? (outcome as { kind: string }).kind : outcome).toMatch(/created|revised/)
    return experimentId
  }

  test('[V24] the same bytes under the same name are one file; other bytes are refused, and nothing of the upload is kept', async () => {
    const file = await created()
    const again = fileWith({ name: file.name })
    const other = fileWith({ name: file.name, sha256: 'b'.repeat(64) })
    const beside = fileWith()
    expect(await store().create({ owner: ada, files: [again] })).toEqual({ kind: 'created', files: [file] })
    expect(await store().create({ owner: ada, files: [beside, other] })).toEqual({
      kind: 'taken',
      names: [file.name],
    })
    expect(await store().find(beside.mediaId)).toBeUndefined()
    expect(await store().create({ owner: bob, files: [{ ...other, owner: bob }] })).toMatchObject({
      kind: 'created',
    })
  })

  test('[V25] a researcher may keep so many bytes and no more', async () => {
    const cem = `urn:x cem ${newMediaId()}`
    const large = { owner: cem, bytes: limits.media.bytesPerResearcher - 10 }
    await created(large)
    const files = [fileWith({ owner: cem, bytes: 11 })]
    expect(await store().create({ owner: cem, files })).toEqual({ kind: 'too_many' })
    await created({ owner: cem, bytes: 10 })
  })

  test('[V26] is deleted only when no experiment needs it, by id or by name; then its name is free', async () => {
    const [byId, byName] = [await created(), await created()]
    const remove = ({ mediaId }: MediaFile) => store().remove({ mediaId, actor: ada, now })
    const experimentId = await studyWith({ mediaId: byId.mediaId })
    await studyWith({ src: `media:${byName.name}` })
    expect([await remove(byId), await remove(byName)]).toEqual(['in_use', 'in_use'])
    const seen = await store().seen({ mediaId: byId.mediaId, sight: everything, now })
    expect(seen?.usedBy).toMatchObject([{ experimentId }])
    expect(await store().countUses(byName.mediaId, now)).toBe(1)
    await studyWith({ src: '/elsewhere.png' }, ada, experimentId)
    expect([await remove(byId), await remove(byId)]).toEqual(['removed', 'not_found'])
    await created({ name: byId.name, sha256: 'c'.repeat(64) })
    const audited = await engine().rows(
      `select actor from audit_log where action = 'media_removed' and subject = '${byId.mediaId}'`,
    )
    expect(audited).toEqual([{ actor: ada }])
    expect(await store().removed(now + 1, 1_000)).toContain(byId.mediaId)
    await store().forget(byId.mediaId)
    expect(await store().removed(now + 1, 1_000)).not.toContain(byId.mediaId)
  })

  test('[V26] of a removal and a save at the same time, one is refused', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { mediaId } = await created()
        const globalComponents = [{ id: 'shown', type: 'image', mediaId }]
        const definition = smallestDefinition({ globalComponents })
        const by = { experimentId: newExperimentId(), actor: ada, now, ...newDefinition(definition) }
        return await Promise.all([
          store().remove({ mediaId, actor: ada, now }),
          engine().database.experiments.create(by),
        ])
      }),
    )
    for (const outcome of outcomes) expect(outcome.join()).toMatch(/^(removed,media_gone|in_use,created)$/)
  })

  test('[V28] a name means what the experiment has under it, or else the author’s own file', async () => {
    const mine = await created()
    const theirs = await created({ owner: bob, name: mine.name, sha256: 'd'.repeat(64) })
    const experimentId = await studyWith({ src: `media:${mine.name}` })
    const meaning = async (author: string, study: string | null) =>
      (await store().resolve([mine.name, 'nothing.png'], author, study)).map(({ mediaId }) => mediaId)
    expect(await meaning(bob, experimentId)).toEqual([mine.mediaId])
    expect(await meaning(bob, null)).toEqual([theirs.mediaId])
    expect(await meaning('urn:x nobody', null)).toEqual([])
  })

  test('[V28] a revision keeps what its names meant, whatever the file is called later', async () => {
    const file = await created()
    const { name } = file
    const experimentId = await studyWith({ src: `media:${name}` })
    const renamed = { mediaId: file.mediaId, name: `new ${name}`, actor: ada, now }
    expect(await store().rename(renamed)).toBe('renamed')
    expect(await store().ofRevision(experimentId, 1)).toMatchObject([
      { mediaId: file.mediaId, calledBy: name },
    ])
    const taken = await created({ name })
    expect(await store().rename({ ...renamed, mediaId: taken.mediaId })).toBe('taken')
    expect(await store().rename({ ...renamed, mediaId: newMediaId() })).toBe('not_found')
  })

  test('[V26] one sees one’s own files, in pages, and by kind', async () => {
    const dan = `urn:x dan ${newMediaId()}`
    const pictures = [await created({ owner: dan, createdAt: now + 1 }), await created({ owner: dan })]
    const sound = await created({ owner: dan, kind: 'sound', contentType: 'audio/wav', createdAt: now + 2 })
    const list = async (kind: 'picture' | 'sound' | null, before: MediaFile | null, limit: number) =>
      (await store().visible({ sight: sightOf(dan), now, kind, before, limit })).map(({ file }) => file)
    expect(await list(null, null, 10)).toEqual([sound, ...pictures])
    expect(await list('picture', pictures[0] ?? null, 10)).toEqual(pictures.slice(1))
    expect(await list('sound', null, 10)).toEqual([sound])
    expect(
      await store().visible({ sight: sightOf(bob), now, kind: null, before: null, limit: 9_999 }),
    ).toEqual(expect.not.arrayContaining([expect.objectContaining({ file: sound })]))
    const ids = pictures.map(({ mediaId }) => mediaId)
    expect(await store().visibleAmong([...ids, 'med_x'], sightOf(dan))).toHaveLength(2)
    expect(await store().visibleAmong(ids, sightOf(bob))).toEqual([])
  })

  test('[V10] what never arrived is found and discarded', async () => {
    const open = await created({ storedAt: null, createdAt: 5 })
    expect(await store().unfinished(5, 100)).not.toContain(open.mediaId)
    expect(await store().unfinished(6, 100)).toContain(open.mediaId)
    await store().stored([open.mediaId], now)
    expect(await store().unfinished(6, 100)).not.toContain(open.mediaId)
    await store().discard([open.mediaId], now)
    expect(await store().find(open.mediaId)).toMatchObject({ storedAt: now })
  })
})
