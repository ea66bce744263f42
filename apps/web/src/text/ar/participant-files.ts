import type { files as english } from '../en/participant-files.ts'

export const files: typeof english = {
  loading: 'جارٍ تحميل الصور والأصوات …',
  failed: 'تعذّر تحميل بعض صور هذه الصفحة أو أصواتها. يُرجى التحقق من الاتصال بالإنترنت.',
  tryAgain: 'حاول مرة أخرى',
  goOn: 'المتابعة بدونها',
}
