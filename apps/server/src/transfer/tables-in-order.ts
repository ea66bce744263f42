import type { Tables } from '../adapters/sql/tables.ts'

/** Every table, in the order in which they are filled: rows come after those they refer to. */
const order: Record<keyof Tables, true> = {
  shared_secrets: true,
  experiments: true,
  experiment_revisions: true,
  experiment_shares: true,
  role_draws: true,
  videos: true,
  experiment_videos: true,
  agent_credentials: true,
  prolific_tokens: true,
  prolific_studies: true,
  prolific_bonuses: true,
  experiment_credentials: true,
  pilots: true,
  rooms: true,
  room_actions: true,
  room_snapshots: true,
  participants: true,
  participant_identities: true,
  agent_participants: true,
  agent_calls: true,
  sessions: true,
  session_origins: true,
  event_streams: true,
  event_batches: true,
  events: true,
  api_keys: true,
  write_checks: true,
  audit_log: true,
}

export const tablesInOrder: readonly string[] = Object.keys(order)
