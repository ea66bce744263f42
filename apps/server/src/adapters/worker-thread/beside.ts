import { parentPort } from 'node:worker_threads'
import type { WrittenDefinition } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import { parseDefinition } from '../../modules/experiments/parse-definition.ts'
import { dryRun } from '../../modules/matching/dry-run.ts'
import { forecastPayments } from '../../modules/rooms/forecast/forecast-payments.ts'
import type { ForecastTask } from '../../ports/heavy-work.ts'
import type { Task, TaskReply } from './messages.ts'

const port = parentPort
if (!port) throw new Error('this file runs as a worker thread')

/** Only the warnings are sent back: the caller has the definition. */
const tasks = {
  checkDefinition(input: string) {
    const [body, rows] = JSON.parse(input)
    return parseDefinition(body, new Map(rows)).warnings
  },
  dryRun: (input: string) => dryRun(JSON.parse(input)),
  forecast(input: string) {
    const { definition, isSaved, people }: ForecastTask = JSON.parse(input)
    const played = isSaved ? (definition as WrittenDefinition) : parseDefinition(definition).definition
    return forecastPayments(played, people)
  },
}

function perform({ name, input }: Task): TaskReply {
  try {
    return { kind: 'done', value: tasks[name](input) }
  } catch (error) {
    if (!(error instanceof AppError)) return { kind: 'failed', message: String(error) }
    const { code, message, details } = error
    return { kind: 'refused', code, message, details }
  }
}

port.on('message', (task: Task) => port.postMessage(perform(task)))
port.postMessage({ kind: 'ready' } satisfies TaskReply)
