import { texts } from '../../text/console.ts'

interface NetworkNode {
  label: string
  /** Drawn hollow: nobody is there. */
  isAway?: boolean
}

export interface NetworkPictureProps {
  nodes: readonly NetworkNode[]
  /** Indexes of the nodes. */
  edges: readonly (readonly [number, number])[]
}

const radius = 100
/** More names than this would lie upon each other. */
const mostNames = 40

/** Seats in a circle, so that they stay where they are while edges come and go. Whoever cannot see it reads the list beside it. */
export function NetworkPicture({ nodes, edges }: NetworkPictureProps) {
  const hasNames = nodes.length <= mostNames
  const places = nodes.map((_, index) => placeOf(index, nodes.length, radius))
  const outside = nodes.map((_, index) => placeOf(index, nodes.length, radius + 14))
  const margin = hasNames ? 30 : 8
  const size = 2 * (radius + margin)
  return (
    <svg
      role="img"
      aria-label={texts().network.picture(nodes.length, edges.length)}
      viewBox={`${-size / 2} ${-size / 2} ${size} ${size}`}
      style={{ width: '100%', maxWidth: 360, height: 'auto' }}
      fontSize={10}
      fill="var(--mantine-color-text)"
    >
      <g stroke="var(--mantine-color-dimmed)" strokeWidth={edges.length > 400 ? 0.2 : 0.8}>
        {edges.map(([one, other]) => {
          const [from, to] = [places[one], places[other]]
          return from && to && <line key={`${one} ${other}`} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
        })}
      </g>
      {nodes.map(({ label, isAway }, index) => (
        <g key={label}>
          <circle
            cx={places[index]?.x}
            cy={places[index]?.y}
            r={hasNames ? 5 : 2}
            fill={isAway ? 'var(--mantine-color-body)' : 'var(--mantine-primary-color-filled)'}
            stroke="var(--mantine-primary-color-filled)"
          />
          {hasNames && (
            <text x={outside[index]?.x} y={outside[index]?.y} textAnchor="middle" dominantBaseline="central">
              {label}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}

/** The first is at the top, the others follow clockwise. */
function placeOf(index: number, of: number, distance: number): { x: number; y: number } {
  const angle = (2 * Math.PI * index) / Math.max(1, of) - Math.PI / 2
  return {
    x: Math.round(distance * Math.cos(angle) * 10) / 10,
    y: Math.round(distance * Math.sin(angle) * 10) / 10,
  }
}
