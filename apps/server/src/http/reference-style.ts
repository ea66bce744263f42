/** The look of the reference page. Colours keep a contrast of at least 4.5 to 1 in both schemes. */
export const referenceStyle = `
:root{color-scheme:light dark;--text:#1d2430;--muted:#566072;--page:#fff;--panel:#f6f7f9;--line:#e0e4ea;--link:#1f5fbf;
--code:#f1f3f6;--get:#0b6b4f;--get-bg:#e2f5ee;--post:#1f5fbf;--post-bg:#e5effd;--put:#8a4b00;--put-bg:#fdf0dd;
--must:#a3271f;--focus:#1f5fbf}
@media (prefers-color-scheme:dark){:root{--text:#e3e7ee;--muted:#a3adbd;--page:#12161d;--panel:#191f28;--line:#2d3542;
--link:#8ab8ff;--code:#202733;--get:#7fdcb9;--get-bg:#12372c;--post:#9cc3ff;--post-bg:#172f52;--put:#f2c185;
--put-bg:#40290c;--must:#ff9d94;--focus:#8ab8ff}}
*{box-sizing:border-box}
html{scroll-padding-top:1.5rem;-webkit-text-size-adjust:100%}
body{margin:0;color:var(--text);background:var(--page);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible,summary:focus-visible,pre:focus-visible,main:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:4px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.86em}
code{background:var(--code);padding:.12em .35em;border-radius:4px;overflow-wrap:anywhere;box-decoration-break:clone;-webkit-box-decoration-break:clone}
pre{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.85rem 1rem;overflow-x:auto;margin:.4rem 0 0;line-height:1.5}
pre code{background:none;padding:0;font-size:1em;overflow-wrap:normal}
.skip{position:absolute;left:-999rem;top:.5rem;background:var(--page);padding:.5rem 1rem;border-radius:6px;z-index:2}
.skip:focus{left:.5rem}
.layout{display:grid;grid-template-columns:17.5rem minmax(0,1fr);max-width:86rem;margin:0 auto}
.side{position:sticky;top:0;height:100vh;overflow-y:auto;padding:1.75rem 1rem 2rem 1.5rem;border-right:1px solid var(--line);font-size:.9rem}
.brand{font-weight:700;font-size:1.15rem;margin:0 0 1rem}
.brand small{font-weight:400;color:var(--muted);font-size:.8rem;margin-left:.35rem}
.toc ul{list-style:none;margin:0;padding:0}
.toc>ul>li{margin-bottom:.9rem}
.toc>ul>li>a{font-weight:600;color:var(--text);text-decoration:none}
.toc li li a{display:flex;gap:.5rem;align-items:baseline;padding:.16rem 0;color:var(--muted);text-decoration:none;line-height:1.35}
.toc a:hover{color:var(--link);text-decoration:underline}
.toc .method{font-size:.62rem;min-width:2.6rem;padding:.08rem 0}
.narrow{display:none}
main{padding:2rem 3rem 5rem;min-width:0}
h1{font-size:2.1rem;line-height:1.2;margin:0 0 .5rem;letter-spacing:-.01em}
h2{font-size:1.5rem;margin:3.5rem 0 .4rem;padding-top:1.6rem;border-top:1px solid var(--line);letter-spacing:-.01em}
h3{font-size:1.15rem;margin:0;line-height:1.35}
h4{font-size:.8rem;margin:1.4rem 0 .35rem;text-transform:uppercase;letter-spacing:.05em;color:var(--muted)}
h4 a{text-transform:none;letter-spacing:0;margin-left:.3rem}
p{margin:.5rem 0;max-width:46rem}
.lead{font-size:1.1rem;color:var(--muted)}
.steps{padding-left:1.4rem;max-width:52rem}
.steps li{margin:1.1rem 0}
.card{border:1px solid var(--line);border-radius:12px;padding:1.3rem 1.5rem 1.4rem;margin:1.5rem 0}
.route{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:.55rem 0}
.route code{font-size:.95rem;font-weight:600;background:none;padding:0}
.method{display:inline-block;font:700 .74rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;padding:.14rem .5rem;border-radius:5px;text-align:center;flex:none}
.get{color:var(--get);background:var(--get-bg)}
.post{color:var(--post);background:var(--post-bg)}
.put{color:var(--put);background:var(--put-bg)}
.caller{color:var(--muted);font-size:.9rem;margin:.2rem 0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.45}
th{text-align:left;font-weight:600;color:var(--muted);font-size:.8rem;padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line)}
td{padding:.45rem .8rem .45rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
tbody tr:last-child td{border-bottom:0}
.fields{table-layout:fixed}.fields th:first-child{width:26%}.fields th:nth-child(2){width:28%}.fields th:nth-child(3):not(:last-child){width:5.6rem}
.name code{background:none;padding:0;font-weight:600}
.d1{padding-left:1.1rem}.d2{padding-left:2.2rem}.d3{padding-left:3.3rem}.d4{padding-left:4.4rem}
.d1::before,.d2::before,.d3::before,.d4::before{content:"";display:inline-block;width:.45rem;height:.6rem;margin-right:.4rem;border-left:1px solid var(--muted);border-bottom:1px solid var(--muted)}
.type{color:var(--muted)}.limit{display:block;color:var(--muted);font-size:.82rem}
.must{color:var(--must);font-weight:600;font-size:.82rem}.may{color:var(--muted);font-size:.82rem}
.alternative td{background:var(--panel);padding-left:.6rem}
.examples{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:0 1.2rem}
.examples>div{min-width:0}
details.errors{margin-top:1.2rem;border:1px solid var(--line);border-radius:8px;padding:.1rem .9rem}
details.errors[open]{padding-bottom:.5rem}
summary{cursor:pointer;padding:.45rem 0;font-weight:600;font-size:.92rem}
summary span{color:var(--muted);font-weight:400;margin-left:.4rem}
.status{font-variant-numeric:tabular-nums;white-space:nowrap}
.codes th:first-child{width:14.5rem}.codes th:nth-child(2){width:4.5rem}
@media (max-width:60rem){
.layout{display:block}.side{display:none}
.narrow{display:block;position:sticky;top:0;z-index:1;background:var(--page);border-bottom:1px solid var(--line);padding:.35rem 1.1rem}
.narrow .toc{max-height:70vh;overflow-y:auto;padding:.4rem 0 .8rem;font-size:.95rem}
.narrow .toc li li a{padding:.35rem 0}
html{scroll-padding-top:4rem}
main{padding:1.4rem 1.1rem 4rem}.card{padding:1.1rem 1rem 1.2rem}}
@media (max-width:40rem){
h1{font-size:1.7rem}h2{font-size:1.3rem}
thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
table,tbody,tr,td{display:block}
tr{border-bottom:1px solid var(--line);padding:.5rem 0}tbody tr:last-child{border-bottom:0}
td{border:0;padding:.1rem 0}
.d1,.d2,.d3,.d4{padding-left:0}
.n1{padding-left:1rem}.n2{padding-left:2rem}.n3{padding-left:3rem}.n4{padding-left:3.4rem}
.alternative td{padding-left:.6rem}}
@media print{.side,.narrow,.skip{display:none}.layout{display:block}.card{break-inside:avoid}}
`
