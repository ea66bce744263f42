import type { ExperimentDefinition, PaymentForecast } from '@atrium/contract'
import type { ForecastTask } from '../../../ports/heavy-work.ts'
import { parseDefinition } from '../../experiments/parse-definition.ts'
import { forecastPayments } from './forecast-payments.ts'

/** Runs off the event loop. */
export function forecast({ definition, isSaved, people }: ForecastTask): PaymentForecast {
  const played = isSaved ? (definition as ExperimentDefinition) : parseDefinition(definition).definition
  return forecastPayments(played, people)
}
