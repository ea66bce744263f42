import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { texts } from '../../../text/console.ts'
import { listAt } from '../core/document.ts'
import { hasStages } from '../core/parts.ts'
import { titleOfStage } from '../titles.ts'
import { wholeGraphOf } from './flow-graph.ts'
import { layOut } from './flow-layout.ts'
import { type FlowTools, Lines, PartPicture, placeOf } from './part-picture.tsx'
import { StageFrame } from './stage-frame.tsx'

/** States as boxes and where they lead, to be clicked: in a frame for each stage, where there are stages. */
export function FlowPicture(tools: FlowTools) {
  const { document } = tools
  const text = texts().builder.flow
  const stages = listAt(document, ['stages'])
  return (
    <section aria-label={text.label}>
      <Text size="xs" c="dimmed" mb="xs">
        {text.legend}
      </Text>
      <div className="builder-flow">
        {hasStages(document) ? (
          stages.map((stage, at) => (
            <StageFrame key={at} stage={stage} at={at} {...tools}>
              <PartPicture
                {...tools}
                part={`/stages/${at}`}
                end={at + 1 < stages.length ? text.goesOn(titleOfStage(stages[at + 1], at + 1)) : text.end}
              />
            </StageFrame>
          ))
        ) : (
          <PartPicture {...tools} part="" end={text.end} />
        )}
      </div>
    </section>
  )
}

/** Lines and frames alone, drawn small: what kind of study a template is. */
export function FlowThumbnail({ document }: { document: unknown }) {
  const { graph, layout } = useMemo(() => {
    const found = wholeGraphOf(document)
    return { graph: found, layout: layOut(found) }
  }, [document])
  const height = Math.min(layout.height, 620)
  return (
    <svg
      className="builder-flow-picture builder-flow-thumbnail"
      viewBox={`0 0 ${layout.width} ${height}`}
      preserveAspectRatio="xMidYMin meet"
      aria-hidden
    >
      <Lines graph={graph} layout={layout} />
      {[...graph.nodes, { at: graph.end, title: texts().builder.flow.end }].map(({ at, title }) => {
        const { left, top, ...size } = placeOf(layout, at)
        return (
          <g key={at}>
            <rect className="builder-flow-box" x={left} y={top} {...size} rx={10} />
            <text className="builder-flow-name" x={left + size.width / 2} y={top + size.height / 2 + 7}>
              {title.length > longestName ? `${title.slice(0, longestName - 1)}…` : title}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

const longestName = 16
