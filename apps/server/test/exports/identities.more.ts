import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportedTables } from '@atrium/contract'
import { createResearcher, createTemporaryFolder, describeInBothModes } from '@atrium/testkit'
import { afterAll, expect, test } from 'vitest'
import { castOf } from '../stories/cast.ts'

const canary = { externalId: 'canary-5f2c81d0', STUDY_ID: 'canary-study' }

const printAll =
  'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); sys.stdout.buffer.write(b"".join(map(z.read, z.namelist())))'

describeInBothModes('the file that says who people are', (world) => {
  const cast = castOf(world)
  const folder = createTemporaryFolder('identities')
  afterAll(folder.remove)

  async function ask(token: string, experimentId: string, query: string) {
    const path = `${world().any().http}/api/experiments/${experimentId}/export?${query}`
    const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()).toString('latin1') }
  }

  test('[R47,D14] it has everyone who joined with their recruiting ids, and no other file has any of it', async () => {
    const experimentId = await cast.open()
    const [first, second] = [
      await cast.participant(experimentId, canary),
      await cast.participant(experimentId),
    ]
    await cast.complete(first.session)
    const { token } = await cast.researcher()
    const { status, body } = await ask(token, experimentId, 'identity=true')
    expect(status).toBe(200)
    const rows = body
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    expect(rows).toMatchObject([
      {
        participantId: first.session.participantId,
        externalId: canary.externalId,
        metadata: canary,
        outcome: 'SUCCESS',
        attempt: 1,
      },
      { participantId: second.session.participantId, externalId: null, metadata: {}, outcome: null },
    ])
    const secrets = [...Object.values(canary), ...rows.map(({ subject }) => String(subject))]
    for (const table of [...exportedTables, 'codebook'])
      for (const format of ['jsonl', 'csv', 'parquet']) {
        const file = await ask(token, experimentId, `table=${table}&format=${format}`)
        expect(file.status, table).toBe(200)
        for (const secret of secrets) expect(file.body, `${table} ${format}`).not.toContain(secret)
      }
    const zip = join(folder.path, 'study.zip')
    const archive = await ask(token, experimentId, 'format=psych-ds')
    writeFileSync(zip, Buffer.from(archive.body, 'latin1'))
    const unpacked = execFileSync('python3', ['-c', printAll, zip]).toString('latin1')
    expect(unpacked).toContain(first.session.participantId)
    for (const secret of secrets) expect(unpacked).not.toContain(secret)
    const csv = await ask(token, experimentId, 'identity=true&format=csv&status=completed')
    expect(csv.body).toContain(canary.externalId)
    expect(csv.body).not.toContain(second.session.participantId)
    expect((await ask(token, experimentId, 'identity=true&format=parquet')).body).toContain(canary.externalId)
  })

  test('[R47,D14] it is never mixed into another file, and not for people whom the study is shared with', async () => {
    const experimentId = await cast.open()
    const { token } = await cast.researcher()
    for (const query of ['table=participants', 'format=psych-ds', 'synthetic=true'])
      expect((await ask(token, experimentId, `identity=true&${query}`)).status, query).toBe(400)
    expect((await ask(token, experimentId, 'identity=false&table=participants')).status).toBe(200)
    const other = await createResearcher(cast.api)
    expect((await ask(other.token, experimentId, 'identity=true')).status).toBe(404)
  })
})
