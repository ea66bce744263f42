import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Sql } from '../tables.ts'
import { up as groundFloor } from './0001-ground-floor.ts'
import { up as roomEngine } from './0002-room-engine.ts'
import { up as agentSeats } from './0003-agent-seats.ts'
import { up as streamNumbers } from './0004-stream-numbers.ts'
import { up as roomListing } from './0005-room-listing.ts'
import { up as writeChecks } from './0006-write-checks.ts'
import { up as sessionPseudonyms } from './0007-session-pseudonyms.ts'
import { up as ownership } from './0008-ownership.ts'
import { up as consent } from './0009-consent.ts'
import { up as outcomes } from './0010-outcomes.ts'
import { up as restingRooms } from './0011-resting-rooms.ts'
import { up as roomRecord } from './0012-room-record.ts'
import { up as firstAnswers } from './0013-first-answers.ts'
import { up as hear } from './0014-hear.ts'
import { up as videos } from './0015-videos.ts'
import { up as agentCredentials } from './0016-agent-credentials.ts'
import { up as agentTurns } from './0017-agent-turns.ts'
import { up as pilots } from './0018-pilots.ts'
import { up as figures } from './0019-figures.ts'
import { up as apiKeys } from './0020-api-keys.ts'
import { up as privacy } from './0021-privacy.ts'
import { up as prolific } from './0023-prolific.ts'
import { up as tallies } from './0024-tallies.ts'
import { up as drafts } from './0025-drafts.ts'
import { up as tries } from './0026-tries.ts'
import { up as researchers } from './0027-researchers.ts'
import { up as storedBytes } from './0028-stored-bytes.ts'
import { up as assignments } from './0029-assignments.ts'
import { up as attrition } from './0030-attrition.ts'
import { up as times } from './0031-times.ts'
import { up as agentCallOrigins } from './0032-agent-call-origins.ts'
import { up as forgetting } from './0034-forgetting.ts'
import { up as publishing } from './0035-publishing.ts'
import { up as staleCells } from './0036-stale-cells.ts'
import { up as staleReplays } from './0037-stale-replays.ts'
import { up as mediaFiles } from './0038-media-files.ts'
import { up as ownConditions } from './0039-own-conditions.ts'
import { up as trialTables } from './0040-trial-tables.ts'
import { up as matches } from './0048-matches.ts'
import { up as stages } from './0049-stages.ts'
import { adoptFormerRecord, migrationLock, migrationRecord, recordedMigrations } from './migration-record.ts'

/**
 * Every migration in order, written once for both engines. A published migration is frozen (frozen.test.ts): databases
 * that have run it never run it again. It therefore imports nothing of ours; to change the schema, add the next file.
 */
const migrations: Record<string, (db: Kysely<never>, engine: Sql['engine']) => Promise<void>> = {
  '0001_ground_floor': groundFloor,
  '0002_room_engine': roomEngine,
  '0003_agent_seats': agentSeats,
  '0004_stream_numbers': streamNumbers,
  '0005_room_listing': roomListing,
  '0006_write_checks': writeChecks,
  '0007_session_pseudonyms': sessionPseudonyms,
  '0008_ownership': ownership,
  '0009_consent': consent,
  '0010_outcomes': outcomes,
  '0011_resting_rooms': restingRooms,
  '0012_room_record': roomRecord,
  '0013_first_answers': firstAnswers,
  '0014_hear': hear,
  '0015_videos': videos,
  '0016_agent_credentials': agentCredentials,
  '0017_agent_turns': agentTurns,
  '0018_pilots': pilots,
  '0019_figures': figures,
  '0020_api_keys': apiKeys,
  '0021_privacy': privacy,
  '0023_prolific': prolific,
  '0024_tallies': tallies,
  '0025_drafts': drafts,
  '0026_tries': tries,
  '0027_researchers': researchers,
  '0028_stored_bytes': storedBytes,
  '0029_assignments': assignments,
  '0030_attrition': attrition,
  '0031_times': times,
  '0032_agent_call_origins': agentCallOrigins,
  '0034_forgetting': forgetting,
  '0035_publishing': publishing,
  '0036_stale_cells': staleCells,
  '0037_stale_replays': staleReplays,
  '0038_media_files': mediaFiles,
  '0039_own_conditions': ownConditions,
  '0040_trial_tables': trialTables,
  '0048_matches': matches,
  '0049_stages': stages,
}

export const migrationsFor = (engine: Sql['engine']): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, up]) => [name, { up: (db: Kysely<never>) => up(db, engine) }]),
  )

/** `later` are migrations of a newer version that the database has run. */
export const migratorFor = (
  engine: Sql['engine'],
  db: Kysely<never>,
  later: readonly string[] = [],
): Migrator =>
  new Migrator({
    db,
    migrationTableName: migrationRecord,
    migrationLockTableName: migrationLock,
    provider: {
      getMigrations: async () => ({
        ...migrationsFor(engine),
        ...Object.fromEntries(later.map((name) => [name, { up: async () => undefined }])),
      }),
    },
  })

export const migrateToLatest = (engine: Sql['engine'], db: Kysely<never>): Promise<void> =>
  migrateUpTo('newest', engine, db)

/**
 * To an older state for the data of an older version, which fits only the tables of its time. A database that a newer
 * version has migrated stays as it is: during an update, and after going back by one release, this version runs on it.
 */
export async function migrateUpTo(last: string, engine: Sql['engine'], db: Kysely<never>): Promise<void> {
  await adoptFormerRecord(engine, db)
  const later = await laterMigrations(db)
  const migrator = migratorFor(engine, db, later)
  const { error } = await (last === 'newest' ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (!error) return
  // An older or a newer version may have migrated between our look and our turn.
  const hasChanged =
    (await adoptFormerRecord(engine, db)) || (await laterMigrations(db)).length !== later.length
  if (!hasChanged) throw error
  await migrateUpTo(last, engine, db)
}

const laterMigrations = async (db: Kysely<never>): Promise<string[]> =>
  (await recordedMigrations(db)).filter((name) => !(name in migrations))

export const migrationNames: readonly string[] = Object.keys(migrations)
