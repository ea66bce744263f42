import { type FlowBox, type FlowStep, shortened } from './flow-figures.ts'

const width = 370
const mainWidth = 180
const asideWidth = 168
const asideX = width - asideWidth
const padding = 8
const lineHeight = 17
const gap = 34
const longestLine = { main: 25, aside: 24 }

const heightOf = ({ lines }: FlowBox): number => 2 * padding + (1 + lines.length) * lineHeight

/** Boxes from top to bottom, and beside them those who went no further. Grows to its place, and shrinks on phones. */
export function FlowPicture({ steps, label }: { steps: readonly FlowStep[]; label: string }) {
  const placed = placedIn(steps)
  const height = placed.at(-1)?.bottom ?? 0
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      style={{ width: '100%', maxWidth: width * 1.25, height: 'auto' }}
      fontSize={13}
      fill="var(--mantine-color-text)"
      stroke="none"
    >
      {placed.map(({ main, aside, top, middle }, index) => {
        const next = placed[index + 1]
        return (
          <g key={main.title}>
            <Box box={main} x={0} y={top} wide={mainWidth} longest={longestLine.main} isMain />
            {aside && (
              <>
                <Arrow from={[mainWidth, middle]} to={[asideX, middle]} />
                <Box box={aside} x={asideX} y={top} wide={asideWidth} longest={longestLine.aside} />
              </>
            )}
            {next && <Arrow from={[mainWidth / 2, top + heightOf(main)]} to={[mainWidth / 2, next.top]} />}
          </g>
        )
      })}
    </svg>
  )
}

interface Placed extends FlowStep {
  top: number
  bottom: number
  /** Where the arrow to those beside it is. */
  middle: number
}

function placedIn(steps: readonly FlowStep[]): Placed[] {
  const placed: Placed[] = []
  for (const step of steps) {
    const last = placed.at(-1)
    const top = last ? last.bottom + gap : 0
    const heights = [heightOf(step.main), step.aside ? heightOf(step.aside) : 0]
    placed.push({
      ...step,
      top,
      bottom: top + Math.max(...heights),
      middle: top + padding + lineHeight / 2,
    })
  }
  return placed
}

interface BoxProps {
  box: FlowBox
  x: number
  y: number
  wide: number
  longest: number
  isMain?: boolean
}

function Box({ box, x, y, wide, longest, isMain = false }: BoxProps) {
  const lineY = (index: number) => y + padding + index * lineHeight + lineHeight * 0.75
  return (
    <g>
      <rect
        {...{ x, y, width: wide, height: heightOf(box), rx: 6 }}
        fill={isMain ? 'var(--mantine-color-default-hover)' : 'var(--mantine-color-body)'}
        stroke="var(--mantine-color-dimmed)"
      />
      <text x={x + padding} y={lineY(0)} fontWeight={isMain ? 700 : 400}>
        {shortened(box.title, longest)}
      </text>
      {box.lines.map((line, index) => (
        <text key={line} x={x + padding} y={lineY(index + 1)}>
          {shortened(line, longest)}
        </text>
      ))}
    </g>
  )
}

const tip = 5

function Arrow({ from: [fromX, fromY], to: [toX, toY] }: { from: [number, number]; to: [number, number] }) {
  const head =
    fromX === toX
      ? `M${toX - tip} ${toY - tip}L${toX} ${toY}L${toX + tip} ${toY - tip}`
      : `M${toX - tip} ${toY - tip}L${toX} ${toY}L${toX - tip} ${toY + tip}`
  return (
    <path
      d={`M${fromX} ${fromY}L${toX} ${toY}${head}`}
      fill="none"
      stroke="var(--mantine-color-dimmed)"
      strokeWidth={1.5}
    />
  )
}
