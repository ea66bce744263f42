import type { TrialRow } from '@atrium/contract'
import { describeInBothModes } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { readEveryFormat } from './read-files.ts'
import { simulateExample } from './round-trip/simulated-study.ts'

describeInBothModes('lexical decision, played by bots', (world) => {
  test('[R66,F77,F78,F80,D47] every decision, score and stop follows from the table of trials alone', async () => {
    const { experimentId, token, definition, seats } = await simulateExample(world(), 'lexical-decision', 4)
    const listed: readonly TrialRow[] = definition.tables?.strings?.rows ?? []
    const of = { http: world().any().http, token, experimentId, table: 'trials' as const }
    const { jsonl, csv, parquet } = await readEveryFormat(of)
    expect(csv.rows).toEqual(jsonl.rows)
    expect(parquet.rows).toEqual(jsonl.rows)
    const people = Map.groupBy(csv.rows, ({ participant_id }) => String(participant_id))
    expect(people.size).toBe(4)
    for (const [participantId, trials] of people) {
      for (const { row_number, row_string, row_kind, row_correct } of trials)
        expect({ string: row_string, kind: row_kind, correct: row_correct }).toEqual(
          listed[Number(row_number) - 1],
        )
      expect(new Set(trials.map(({ row_number }) => row_number)).size).toBe(trials.length)
      const [practice = [], main = []] = ['practice', 'main'].map((id) =>
        trials.filter(({ block_id }) => block_id === id),
      )
      for (const block of [practice, main])
        expect(block.map(({ trial_index }) => trial_index)).toEqual(block.map((_, at) => at + 1))
      expect(main).toHaveLength(24)
      expect(practice.map(({ row_kind }) => row_kind)).not.toContain('rare')
      const hits = practice.map(
        (_, at) => practice.slice(0, at + 1).filter((one) => one.try__attempt === one.row_correct).length,
      )
      expect(practice.map(({ var_tried, var_hits }) => [var_tried, var_hits])).toEqual(
        hits.map((count, at) => [at + 1, count]),
      )
      const over = hits.findIndex((count, at) => at >= 4 && count / (at + 1) >= 0.8)
      expect(practice).toHaveLength(over === -1 ? 10 : over + 1)
      const right = main.filter((one) => one.decide__decision === one.row_correct).length
      expect(seats.get(participantId)?.variables).toMatchObject({
        tried: practice.length,
        hits: hits.at(-1),
        right,
      })
    }
  })
})
