import { useId, useMemo } from 'react'
import { texts } from '../../../text/console.ts'
import { pathOf } from '../core/document.ts'
import { type FlowEdge, type FlowGraph, graphOf } from './flow-graph.ts'
import { box, type FlowLayout, layOut } from './flow-layout.ts'

export interface FlowTools {
  document: unknown
  /** Places are JSON pointers. */
  selected: string | undefined
  hasProblems: (place: string) => boolean
  onSelect: (place: string) => void
}

interface PartPictureProps extends FlowTools {
  /** JSON pointer of the stage, empty for a study without stages. */
  part: string
  /** What its end is called. */
  end: string
}

/** The states of a stage, or of a study without stages. */
export function PartPicture({ document, part, end, selected, hasProblems, onSelect }: PartPictureProps) {
  const graph = useMemo(() => graphOf(document, pathOf(document, part)), [document, part])
  const layout = useMemo(() => layOut(graph), [graph])
  return (
    <div className="builder-flow-part" style={{ width: layout.width }}>
      <svg width={layout.width} height={layout.height} className="builder-flow-picture" role="presentation">
        <Lines graph={graph} layout={layout} />
      </svg>
      {graph.nodes.map(({ at, title, roles, isUnreachable }) => {
        const place = `${part}/states/${at}`
        return (
          <button
            key={at}
            type="button"
            className="builder-flow-state"
            data-selected={selected === place}
            data-problem={hasProblems(place) || isUnreachable}
            aria-current={selected === place}
            style={placeOf(layout, at)}
            onClick={() => onSelect(place)}
          >
            <span className="builder-ellipsis">{title}</span>
            {roles.length > 0 && <span className="builder-flow-roles">{roles.join(' · ')}</span>}
          </button>
        )
      })}
      <div className="builder-flow-end" style={placeOf(layout, graph.end)}>
        <span className="builder-ellipsis">{end}</span>
      </div>
    </div>
  )
}

export const placeOf = ({ places }: FlowLayout, at: number) => {
  const { x = 0, y = 0 } = places[at] ?? {}
  return { left: x, top: y, width: box.width, height: box.height }
}

export function Lines({ graph, layout }: { graph: FlowGraph; layout: FlowLayout }) {
  const arrow = useId()
  const { block } = texts().builder.flow
  return (
    <>
      <defs>
        <marker id={arrow} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0L8 4L0 8z" fill="context-stroke" />
        </marker>
      </defs>
      {graph.blocks.map(({ id, states, members, depth, rounds, until, order, sample, rotateRoles, when }) => {
        const around = states.map((at) => layout.places[at] ?? { x: 0, y: 0 })
        // Around the frames of the blocks in it, with room for a label above each.
        const margin = 12 + depth * 8
        const left = Math.min(...around.map(({ x }) => x)) - margin
        const top = Math.min(...around.map(({ y }) => y)) - 18 - depth * 16
        const right = Math.max(...around.map(({ x }) => x)) + box.width + margin
        const bottom = Math.max(...around.map(({ y }) => y)) + box.height + margin
        return (
          <g key={id}>
            <rect
              className="builder-flow-block"
              x={left}
              y={top}
              width={right - left}
              height={bottom - top}
              rx={12}
            />
            <text className="builder-flow-label" x={left + 8} y={top + 13}>
              <title>{id}</title>
              {block(rounds, order, { until, sample, of: members, rotateRoles, when })}
            </text>
          </g>
        )
      })}
      {layout.paths.map(({ edge, path, labelX, labelY }, index) => (
        <g key={`${edge.from}-${edge.to}-${index}`}>
          <path
            className="builder-flow-edge"
            d={path}
            strokeDasharray={edge.isConditional ? '5 4' : undefined}
            markerEnd={`url(#${arrow})`}
          />
          {labelOf(edge) !== '' && (
            <text className="builder-flow-label" x={labelX} y={labelY}>
              {labelOf(edge)}
            </text>
          )}
        </g>
      ))}
    </>
  )
}

const longest = 28

function labelOf({ label }: FlowEdge): string {
  const text = texts().builder.flow
  const parts = [
    ...(label.when === undefined ? [] : [label.when]),
    ...(label.isTimeout ? [text.timeout] : []),
    ...(label.atMost === undefined ? [] : [text.atMost(label.atMost)]),
    ...(label.outcome === undefined ? [] : [label.outcome]),
  ].join(', ')
  return parts.length > longest ? `${parts.slice(0, longest - 1)}…` : parts
}
