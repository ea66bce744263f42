import { type CSSProperties, useId } from 'react'
import { texts } from '../../../text/participant.ts'
import { texts as surveyTexts } from '../../../text/participant-survey.ts'
import type { LazyBody } from '../lazy-view.tsx'
import { answerOf, isFixed, recordIn } from '../questions/answer.ts'
import { useDrawnOrder } from '../questions/drawn-order.ts'
import { Question } from '../questions/question.tsx'
import { useOptions } from '../settings/options.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import './survey.css'

type Props = SettledProps<'semantic_differential'>
type Row = Props['settings']['rows'][number]

/** A row of steps between its poles; on a phone, the poles stand above the steps. */
export const SemanticDifferential: LazyBody<'semantic_differential'> = (props: Props) => {
  const { settings, onDraft, problem } = props
  const { label, help, rows, points, min, allRows, shuffle } = settings
  const order = useDrawnOrder(useOptions(rows.map(({ value }) => value)), shuffle, props)
  const answers = recordIn(answerOf(props))
  const hint = allRows ? undefined : texts().views.matrix.rowsMayStayEmpty
  const steps = Array.from({ length: points }, (_, index) => min + index)
  return (
    <Question props={props} label={label} help={help} hint={hint} isGroup>
      {() => (
        <div
          className={points > 9 ? 'differential is-long' : 'differential'}
          style={{ '--steps': points } as CSSProperties}
        >
          {order.map(({ value: name }) => {
            const row = rows.find(({ value }) => value === name)
            const chosen = Object.hasOwn(answers, name) ? answers[name] : undefined
            return (
              row && (
                <Poles
                  key={name}
                  row={row}
                  steps={steps}
                  chosen={chosen}
                  isMissing={problem !== undefined && allRows && chosen === undefined}
                  isFixed={isFixed(props)}
                  onChoose={(step) => onDraft({ ...answers, [name]: step })}
                />
              )
            )
          })}
        </div>
      )}
    </Question>
  )
}

SemanticDifferential.howToFix = () => texts().problems.everyRow

interface PolesProps {
  row: Row
  steps: readonly number[]
  chosen: unknown
  isMissing: boolean
  isFixed: boolean
  onChoose(step: number): void
}

function Poles({ row: { left, right }, steps, chosen, isMissing, isFixed, onChoose }: PolesProps) {
  const id = useId()
  const { between, step: stepOf } = surveyTexts().differential
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset’s legend cannot be a grid cell.
    <div className="poles" role="group" aria-label={between(left, right)}>
      <span className="pole" aria-hidden="true" dir="auto">
        {left}
      </span>
      <span className="pole-steps">
        {steps.map((step, index) => (
          <label className="pole-step" key={step}>
            <input
              type="radio"
              name={id}
              aria-label={stepOf(
                index + 1,
                steps.length,
                index === 0 ? left : poleAtEnd(index, steps, right),
              )}
              checked={chosen === step}
              disabled={isFixed}
              onChange={() => onChoose(step)}
            />
          </label>
        ))}
      </span>
      <span className="pole" aria-hidden="true" dir="auto">
        {right}
      </span>
      {isMissing && <span className="missing">{texts().views.matrix.rowMissing}</span>}
    </div>
  )
}

const poleAtEnd = (index: number, steps: readonly number[], right: string): string =>
  index === steps.length - 1 ? right : ''
