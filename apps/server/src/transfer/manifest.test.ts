import { expect, test } from 'vitest'
import { type BackupFacts, type Known, readManifest, refuseUnknownSchema, writeManifest } from './manifest.ts'

const hash = 'a'.repeat(64)
const known: Known = { version: '1.2.3', migrations: ['0001_one', '0002_two'], tables: ['rooms', 'events'] }
const facts: BackupFacts = {
  version: '1.2.3',
  createdAt: '2026-01-01T00:00:00.000Z',
  engine: 'sqlite',
  migrations: ['0001_one', '0002_two'],
  tables: [{ name: 'rooms', columns: ['room_id'], rows: 1, digest: hash, bytes: 30, sha256: hash }],
  objects: { count: 0, totalBytes: 0, bytes: 20, sha256: hash },
}
const [table] = facts.tables
const reading = (text: string) => () => readManifest(text, known)
/** With a right checksum, as somebody would make it who wants to. */
const made = (more: object) => reading(writeManifest({ ...facts, ...more }))

test('[R50] what was written is read', () => {
  expect(readManifest(writeManifest(facts), known)).toMatchObject(facts)
  expect(made({ version: '1.2.2', migrations: ['0001_one'] })()).toMatchObject({ version: '1.2.2' })
})

test('[R50] a damaged, truncated or edited manifest is refused', () => {
  const text = writeManifest(facts)
  expect(reading(text.slice(0, -10))).toThrow('it is not JSON')
  expect(reading('[]')).toThrow('is damaged')
  expect(reading(text.replace('"rows": 1', '"rows": 2'))).toThrow('its checksum is not that of its contents')
  expect(reading(text.replace('atrium-backup-1', 'atrium-backup-2'))).toThrow(
    'has the format atrium-backup-2',
  )
})

test('[R50] no name in a manifest leads out of the backup or into SQL', () => {
  for (const name of ['../../etc/passwd', 'rooms/../../x', 'rooms"; drop table rooms', ''])
    expect(made({ tables: [{ ...table, name }] }), name).toThrow('is damaged')
  expect(made({ tables: [{ ...table, columns: ['a) values (1); --'] }] })).toThrow('is damaged')
  expect(made({ tables: [{ ...table, name: 'pg_authid' }] })).toThrow('there is no table pg_authid')
  expect(made({ tables: [table, table] })).toThrow('it names a table twice')
})

test('[R50] a backup of a newer version is refused', () => {
  for (const version of ['1.2.4', '1.10.0', '2.0.0'])
    expect(made({ version }), version).toThrow(`restore it with Atrium ${version} or newer`)
  expect(made({ migrations: [...known.migrations, '0003_three'] })).toThrow('or newer')
  expect(() => refuseUnknownSchema(['0001_one', '0002_other'], known)).toThrow('last migration is 0002_other')
  expect(() => refuseUnknownSchema(['0001_one'], known)).not.toThrow()
})
