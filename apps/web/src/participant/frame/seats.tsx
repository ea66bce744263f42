import { texts } from '../../text/participant.ts'

/** Of larger groups, a bar says how full they are. */
export const maxSeatsDrawn = 12

/** The seats of the group, around a court with light from above. A seat that is taken fills; the first is one’s own. */
export function Seats({ taken, of }: { taken: number; of: number }) {
  const width = Math.max(240, of * 44 + 96)
  const firstX = (width - (of - 1) * 44) / 2
  return (
    <svg
      className="seats"
      viewBox={`0 0 ${width} 132`}
      role="img"
      aria-label={texts().frame.waitingRoom.seats(taken, of)}
    >
      <path className="seats-light" d={`M${width / 2 - 34} 8h68l${width / 2 - 62} 108H28z`} />
      <path
        className="seats-court"
        d={`M12 116V50l${width / 2 - 56}-40M${width - 12} 116V50L${width / 2 + 44} 10M4 116h${width - 8}`}
      />
      {Array.from({ length: of }, (_, seat) => (
        <g key={seat} className={seatClass(seat, taken)} transform={`translate(${firstX + seat * 44} 0)`}>
          <circle cx="0" cy="68" r="9" />
          <path d="M-15 114c0-22 5-32 15-32s15 10 15 32z" />
        </g>
      ))}
    </svg>
  )
}

function seatClass(seat: number, filled: number): string {
  if (seat >= filled) return 'seat'
  return seat === 0 ? 'seat is-taken is-own' : 'seat is-taken'
}
