import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportedTables, snakeName } from '@atrium/contract'
import { createTemporaryFolder, describeInOneMode } from '@atrium/testkit'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRows } from '../rooms/rows.ts'
import { tableIn } from '../rooms/table.ts'
import { playPublicGoods, publicGoodsWithChat } from './played-study.ts'
import { download, readEveryFormat } from './read-files.ts'

interface Manifest {
  files: { path: string; table: string | null; rows: number | null; bytes: number; sha256: string }[]
}

interface Variable {
  name: string
}

describeInOneMode('an archive of a group study', (world) => {
  const table = tableIn(world)
  const folder = createTemporaryFolder('archive')
  afterAll(folder.remove)
  let experimentId = ''
  let files: string[] = []
  const fileOf = (path: string): Buffer => readFileSync(join(folder.path, 'study', path))
  const jsonOf = (path: string) => JSON.parse(fileOf(path).toString())
  const dataOf = (name: string) => files.find((path) => path.includes(`description-${name}_data.csv`)) ?? name
  const csvOf = (path: string): string[][] => parse(fileOf(path))

  beforeAll(async () => {
    experimentId = await table.open({ ...publicGoodsWithChat(), description: 'A game “of four”.' })
    await playPublicGoods(table, experimentId)
    const { token } = await table.researcher()
    const path = `${table.server().http}/api/experiments/${experimentId}/export?format=psych-ds`
    const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
    expect(answer.headers.get('content-type')).toBe('application/zip')
    expect(answer.headers.get('content-disposition')).toContain('-psych-ds.zip"')
    const zip = join(folder.path, 'study.zip')
    writeFileSync(zip, Buffer.from(await answer.arrayBuffer()))
    // Another reader: it checks every CRC as well.
    execFileSync('python3', ['-m', 'zipfile', '-t', zip])
    execFileSync('python3', ['-m', 'zipfile', '-e', zip, join(folder.path, 'study')])
    files = readdirSync(join(folder.path, 'study'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder.path, 'study').length + 1))
  })

  test('[R47] it keeps to the rules of Psych-DS', () => {
    expect(files).toEqual(expect.arrayContaining(['dataset_description.json', 'README.md']))
    const data = files.filter((path) => path.startsWith('data/'))
    expect(data).toHaveLength(exportedTables.length)
    const keywords = 'study|site|subject|session|task|condition|trial|stimulus|description'
    const named = new RegExp(`^data/((${keywords})-[a-zA-Z0-9]+)(_(${keywords})-[a-zA-Z0-9]+)*_data\\.csv$`)
    for (const path of data) expect(path).toMatch(named)
    const description = jsonOf('dataset_description.json')
    expect(description).toMatchObject({
      '@context': 'https://schema.org/',
      '@type': 'Dataset',
      name: publicGoodsWithChat().name,
      description: 'A game “of four”.',
    })
    const measured: string[] = description.variableMeasured.map(({ name }: Variable) => name)
    expect(new Set(measured).size).toBe(measured.length)
    for (const path of data) {
      // Refuses rows of different lengths.
      const [header = [], ...rows] = csvOf(path)
      expect(new Set(header).size).toBe(header.length)
      expect(measured).toEqual(expect.arrayContaining(header))
      for (const row of rows) expect(row).toHaveLength(header.length)
    }
    // What is neither data nor named by the standard is where it allows anything.
    const others = files.filter((path) => !path.startsWith('data/') && path.includes('/'))
    expect(others.toSorted()).toEqual(['documentation/codebook.csv', 'documentation/manifest.json'])
  })

  test('[R47] the manifest has the rows and hash of every other file', async () => {
    const manifest: Manifest = jsonOf('documentation/manifest.json')
    expect(manifest).toMatchObject({
      experimentId,
      revisions: [1],
      software: { name: 'Atrium' },
      filters: {},
    })
    const others = files.filter((path) => path !== 'documentation/manifest.json')
    expect(manifest.files.map(({ path }) => path).toSorted()).toEqual(others.toSorted())
    for (const { path, rows, bytes, sha256, table: of } of manifest.files) {
      const content = fileOf(path)
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
      expect(content).toHaveLength(bytes)
      if (of !== null) expect(rows).toBe(csvOf(path).length - 1)
    }
    const [counted] = await readRows(world(), 'select count(*) as n from events')
    expect(manifest.files.find((file) => file.table === 'events')?.rows).toBe(Number(counted?.n))
  })

  test('[R47] its tables are those that are exported one by one', async () => {
    const { token } = await table.researcher()
    for (const of of exportedTables) {
      const name = of === 'agent_turns' ? 'agentTurns' : of
      const alone = await download({ http: table.server().http, token, experimentId, table: of }, 'csv')
      expect(fileOf(dataOf(name)).toString(), of).toBe(alone.toString())
    }
  })

  test('[R47] the codebook has every column of every table, with the texts of the experiment', async () => {
    const { token } = await table.researcher()
    const of = { http: table.server().http, token, experimentId, table: 'codebook' as const }
    const read = await readEveryFormat(of)
    expect(read.csv.rows).toEqual(read.jsonl.rows)
    expect(read.parquet.rows).toEqual(read.jsonl.rows)
    expect((await download(of, 'csv')).toString()).toBe(fileOf('documentation/codebook.csv').toString())
    const described = Map.groupBy(read.csv.rows, (row) => String(row.table))
    for (const one of exportedTables) {
      const [header = []] = csvOf(dataOf(one === 'agent_turns' ? 'agentTurns' : one))
      expect(described.get(one)?.map(({ variable }) => variable)).toEqual(header)
    }
    const find = (variable: string) => read.csv.rows.find((row) => row.variable === variable)
    const [contribute] = publicGoodsWithChat().states.filter(({ id }) => id === 'contribute')
    const asked = contribute?.components.find(({ id }) => id === 'contribution') as
      | { label?: string }
      | undefined
    expect(asked?.label).toBeTruthy()
    expect(find('contribute__contribution__r1')).toMatchObject({
      field: 'contribute__contribution__r1',
      label: asked?.label,
      minimum: 0,
      maximum: 20,
      state_id: 'contribute',
      component_id: 'contribution',
      round: 1,
      revisions: [1],
    })
    expect(find('condition')?.values).toEqual([{ value: 'low' }, { value: 'high' }])
    expect(find('origin')?.values).toEqual([{ value: 'client' }, { value: 'room' }])
    expect(find('duration_ms')?.unit).toBe('ms')
    expect(find(snakeName('var_points'))?.description).toContain('‘points’')
  })

  test('[R47] what an archive would ignore is refused', async () => {
    const { token } = await table.researcher()
    const statusOf = async (query: string) => {
      const path = `${table.server().http}/api/experiments/${experimentId}/export?${query}`
      const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
      await answer.arrayBuffer()
      return answer.status
    }
    expect(await statusOf('format=psych-ds&table=events')).toBe(400)
    expect(await statusOf('table=codebook&status=open')).toBe(400)
    expect(await statusOf('table=codebook&from=2026-01-01')).toBe(400)
    expect(await statusOf('format=psych-ds&status=completed&to=2020-01-01')).toBe(200)
  })
})
