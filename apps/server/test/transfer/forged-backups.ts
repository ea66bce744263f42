import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Manifest, writeManifest } from '../../src/transfer/manifest.ts'

type Facts = Omit<Manifest, 'checksum' | 'format'>

/** Changes the manifest and gives it the right checksum again, as whoever makes a backup can. */
function forge(folder: string, change: (facts: Facts) => void): void {
  const file = join(folder, 'manifest.json')
  const { checksum: _, format: _format, ...facts } = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  change(facts)
  writeFileSync(file, writeManifest(facts))
}

/** Replaces the lines of a file, with the right hash in the manifest. */
function forgeLines(folder: string, name: string, change: (lines: string) => string): void {
  const file = join(folder, `${name}.jsonl.gz`)
  const packed = gzipSync(change(gunzipSync(readFileSync(file)).toString()))
  writeFileSync(file, packed)
  const written = { bytes: packed.length, sha256: hash('sha256', packed) }
  forge(folder, ({ tables, objects }) => {
    const table = tables.find((each) => name === `tables/${each.name}`)
    Object.assign(table ?? objects, written)
  })
}

const first = ([table]: Facts['tables']) => {
  if (!table) throw new Error('no table')
  return table
}
const table = (facts: Facts, name: string) => facts.tables.find((each) => each.name === name)
const video = 'objects/000000/000000000'
const asObject = (change: (object: Record<string, unknown>) => void) => (folder: string) =>
  forgeLines(folder, 'objects', (line) => {
    const object = JSON.parse(line)
    change(object)
    return `${JSON.stringify(object)}\n`
  })

/** Moves a part of the backup away and puts a link in its place: everything has the right hash. */
function link(folder: string, part: string): void {
  const away = join(dirname(folder), 'elsewhere')
  renameSync(join(folder, part), away)
  symlinkSync(away, join(folder, part))
}

/** Refused before anything is written. */
export const falseFiles: Record<string, { harm(folder: string): void; refusal: string }> = {
  'a table of terabytes, most of them a hole': {
    harm: (folder) => truncateSync(join(folder, 'tables/events.jsonl.gz'), 2 ** 40),
    refusal: 'tables/events.jsonl.gz is not what the manifest says',
  },
  'an object of terabytes': {
    harm: (folder) => truncateSync(join(folder, video), 2 ** 40),
    refusal: 'object 0 is not what the manifest says',
  },
  'a link instead of a table': {
    harm: (folder) => link(folder, 'tables/events.jsonl.gz'),
    refusal: 'tables/events.jsonl.gz is not a file of its own',
  },
  'a link instead of an object': {
    harm: (folder) => link(folder, video),
    refusal: `${video} is not a file of its own`,
  },
  'a link instead of a folder': {
    harm: (folder) => link(folder, 'objects/000000'),
    refusal: `${video} is not a file of its own`,
  },
  'a link instead of the manifest': {
    harm: (folder) => link(folder, 'manifest.json'),
    refusal: 'manifest.json is not a file of its own',
  },
  'a pipe instead of a table': {
    harm(folder) {
      rmSync(join(folder, 'tables/events.jsonl.gz'))
      execFileSync('mkfifo', [join(folder, 'tables/events.jsonl.gz')])
    },
    refusal: 'tables/events.jsonl.gz is not a file of its own',
  },
  'more objects than it says, in a file that unpacks to gigabytes': {
    harm(folder) {
      forgeLines(folder, 'objects', (line) => line.repeat(200_000))
      forge(folder, ({ objects }) => void Object.assign(objects, { count: 1 }))
    },
    refusal: 'objects.jsonl.gz is not what the manifest says',
  },
  'another sum of bytes': {
    harm: (folder) => forge(folder, ({ objects }) => void Object.assign(objects, { totalBytes: 7 })),
    refusal: 'objects.jsonl.gz is not what the manifest says',
  },
  'an object larger than it says': {
    harm: asObject((object) => void Object.assign(object, { size: 4 })),
    refusal: 'object 0 is not what the manifest says',
  },
  'an object of somebody else in the bucket': {
    harm: asObject((object) => void Object.assign(object, { key: 'payroll/salaries.csv' })),
    refusal: 'objects.jsonl.gz is not what the manifest says',
  },
  'a path as an object': {
    harm: asObject((object) => void Object.assign(object, { key: '../../../../etc/cron.d/job' })),
    refusal: 'objects.jsonl.gz is not what the manifest says',
  },
  'NUL in the key of an object': {
    harm: asObject((object) => void Object.assign(object, { key: 'videos/a\0b' })),
    refusal: 'objects.jsonl.gz is not what the manifest says',
  },
  'a header in the type of an object': {
    harm: asObject(
      (object) => void Object.assign(object, { contentType: 'video/mp4\r\nx-amz-acl: public-read' }),
    ),
    refusal: 'objects.jsonl.gz is not what the manifest says',
  },
  'a table that there is not': {
    harm: (folder) =>
      forge(folder, ({ tables }) => void tables.push({ ...first(tables), name: 'sqlite_master' })),
    refusal: 'there is no table sqlite_master',
  },
  'a path as a table': {
    harm: (folder) => forge(folder, (facts) => void Object.assign(facts.tables[0] ?? {}, { name: '../x' })),
    refusal: 'The manifest is damaged or was changed: /tables/0/name',
  },
  'a table twice': {
    harm: (folder) => forge(folder, ({ tables }) => void tables.push(first(tables))),
    refusal: 'it names a table twice',
  },
  'SQL as a column': {
    harm: (folder) =>
      forge(folder, (facts) => void table(facts, 'events')?.columns.push('id" from events; --')),
    refusal: 'The manifest is damaged or was changed: /tables/',
  },
  'commands for the terminal as its version': {
    harm: (folder) => forge(folder, (facts) => void Object.assign(facts, { version: '9.0.0-\u001b[2J' })),
    refusal: 'The manifest is damaged or was changed: /version',
  },
}

/** Found while the tables are filled. */
export const falseRows: Record<string, { harm(folder: string): void; failure: string }> = {
  'more rows than it says': {
    harm: (folder) => forgeLines(folder, 'tables/audit_log', (lines) => lines.repeat(3)),
    failure: 'the table audit_log has other rows than the manifest says',
  },
  'fewer rows than it says': {
    harm: (folder) => forge(folder, (facts) => void Object.assign(table(facts, 'events') ?? {}, { rows: 9 })),
    failure: 'the table events has other rows than the manifest says',
  },
  'a digest that lies': {
    harm: (folder) =>
      forge(folder, (facts) => void Object.assign(table(facts, 'events') ?? {}, { digest: '0'.repeat(64) })),
    failure: 'the table events has other rows than the manifest says',
  },
  'a row with a value of a thousand levels': {
    harm: (folder) =>
      forgeLines(folder, 'tables/events', (lines) =>
        lines.replace(/"data":"(?:[^"\\]|\\.)*"/, `"data":${'['.repeat(1_000)}${']'.repeat(1_000)}`),
      ),
    failure: 'a line is not a row of its table',
  },
  'a row that is text': {
    harm: (folder) => forgeLines(folder, 'tables/events', () => '"row"\n'),
    failure: 'a line is not an object',
  },
  'rows that are no text at all': {
    harm(folder) {
      const bytes = Buffer.from('not gzip')
      writeFileSync(join(folder, 'tables/events.jsonl.gz'), bytes)
      const written = { bytes: bytes.length, sha256: hash('sha256', bytes) }
      forge(folder, (facts) => void Object.assign(table(facts, 'events') ?? {}, written))
    },
    failure: 'incorrect header check',
  },
}

/** Found by the engine. */
export const falseColumns = {
  unknown: {
    harm(folder: string) {
      forge(folder, (facts) => void table(facts, 'events')?.columns.push('zz'))
      forgeLines(folder, 'tables/events', (lines) => lines.replaceAll('}\n', ',"zz":1}\n'))
    },
    failure: 'zz',
  },
  inherited: {
    harm(folder: string) {
      forge(folder, (facts) => void table(facts, 'events')?.columns.push('__proto__'))
      forgeLines(folder, 'tables/events', (lines) => lines.replaceAll('}\n', ',"__proto__":"x"}\n'))
    },
    failure: '__proto__',
  },
}

export const falseSecret = {
  harm(folder: string) {
    forgeLines(folder, 'tables/shared_secrets', () => '{"name":"session_secret","value":"x"}\n')
    forge(folder, (facts) => void Object.assign(table(facts, 'shared_secrets') ?? {}, sumOfOne))
  },
  failure: 'session secret that comes along cannot be used',
}

const sumOfOne = { rows: 1, digest: hash('sha256', '{"name":"session_secret","value":"x"}') }
