import { DeviceReport } from '@atrium/contract'
import { Compile } from 'typebox/compile'
import { dataOf, markOf, placeOf, rowPerEvent, whoOf } from './row.ts'

const report = Compile(DeviceReport)

/**
 * D32: earlier releases stored anything under this name, and rows contain only what the columns allow. Of a report in a study that
 * collects nothing of the device, nothing is left.
 */
export const deviceRows = () =>
  rowPerEvent(['device_report'], (event, session) => {
    const data = dataOf(event)
    if (!report.Check(data) || Object.keys(data).length === 0) return undefined
    return { ...whoOf(session), ...placeOf(event), ...data, ...markOf(session) }
  })
