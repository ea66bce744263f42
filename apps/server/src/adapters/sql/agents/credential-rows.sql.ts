import type { Selectable } from 'kysely'
import type { CredentialRecord } from '../../../modules/agents/credential.plan.ts'
import type { Tables } from '../tables.ts'

export const asCredential = (row: Selectable<Tables['agent_credentials']>): CredentialRecord => ({
  credentialId: row.credential_id,
  owner: row.owner,
  name: row.name,
  baseUrl: row.base_url,
  model: row.model,
  timeoutMs: row.timeout_ms,
  sealedKey: row.sealed_key,
  keyHint: row.key_hint,
  createdAt: row.created_at,
  changedAt: row.changed_at,
  lastTest:
    row.last_tested_at === null || row.last_test === null
      ? null
      : { at: row.last_tested_at, result: JSON.parse(row.last_test) },
})

export const rowOf = (record: CredentialRecord) => ({
  credential_id: record.credentialId,
  owner: record.owner,
  name: record.name,
  base_url: record.baseUrl,
  model: record.model,
  timeout_ms: record.timeoutMs,
  sealed_key: record.sealedKey,
  key_hint: record.keyHint,
  created_at: record.createdAt,
  changed_at: record.changedAt,
  last_tested_at: record.lastTest?.at ?? null,
  last_test: record.lastTest && JSON.stringify(record.lastTest.result),
})
