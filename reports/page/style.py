"""The page's style: light and dark, narrow and wide, on paper."""

STYLE = """
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1b1f;--soft:#54545e;--line:#d5d5dd;--panel:#f6f6f9;--link:#1a4fb4;
--proved:#0a6b2d;--certified:#0b5c77;--amended:#7a3e9d;--refuted:#b3261e;--confirmed:#1f4fbf;--undecided:#725200;
--conflict:#8c1d18;--on-conflict:#fff;--tint:10%}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#14151a;--fg:#e8e8ee;--soft:#b0b0bd;
--line:#3a3b45;
--panel:#1d1e25;--link:#9ec0ff;--proved:#7ddc9a;--certified:#7fd3ea;--amended:#d9a8f5;--refuted:#ff9a90;
--confirmed:#9db8ff;--undecided:#f0cf6b;--conflict:#ffb4ab;--on-conflict:#3b0a07;--tint:16%}}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark;--bg:#14151a;--fg:#e8e8ee;--soft:#b0b0bd;--line:#3a3b45;--panel:#1d1e25;
--link:#9ec0ff;--proved:#7ddc9a;--certified:#7fd3ea;--amended:#d9a8f5;--refuted:#ff9a90;--confirmed:#9db8ff;
--undecided:#f0cf6b;--conflict:#ffb4ab;--on-conflict:#3b0a07;--tint:16%}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0 auto;max-width:76rem;padding:0 1rem 4rem;background:var(--bg);color:var(--fg);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
.sprite{position:absolute}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-100vw}
.skip:focus{left:1rem;top:.5rem;background:var(--bg);padding:.5rem}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:2px}
h1{font-size:1.6rem;line-height:1.25;margin:1.5rem 0 .5rem;max-width:40rem}
h2{font-size:1.25rem;margin:2rem 0 .75rem}
h4{margin:0 0 .25rem;font-size:1rem}
h5{margin:.9rem 0 .25rem;font-size:.9rem;color:var(--soft)}
header{position:relative}
header p{margin:.25rem 0}
#theme{position:absolute;right:0;top:0}
button,select,input{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--soft);border-radius:6px;
padding:.25rem .6rem;min-height:2rem}
button{cursor:pointer}
.note{color:var(--soft);font-size:.9rem}
.surprise{color:var(--refuted)}
code{font:.88em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.totals{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0}
.total{display:flex;flex-direction:column;align-items:flex-start;padding:.4rem .8rem;border-width:2px}
.total .count{font-size:1.5rem;font-weight:650;line-height:1.1}
.total[aria-pressed=true]{outline:3px solid currentColor;outline-offset:1px}
.proved{--tone:var(--proved)}.certified{--tone:var(--certified)}.amended{--tone:var(--amended)}
.refuted{--tone:var(--refuted)}.confirmed{--tone:var(--confirmed)}.undecided,.vacuous{--tone:var(--undecided)}
.conflict,.error{--tone:var(--conflict)}.pass{--tone:var(--proved)}.fail{--tone:var(--refuted)}
.not_run{--tone:var(--soft)}
.total,.chip,.badge{color:var(--tone);border-color:var(--tone);background:color-mix(in srgb,
var(--tone) var(--tint),var(--bg))}
.chip{display:inline-block;border:1px solid;border-radius:1rem;padding:0 .6rem;font-weight:600;font-size:.9rem;
white-space:nowrap}
.chip.conflict{background:var(--conflict);color:var(--on-conflict)}
.badge{display:inline-block;border:1px solid;border-radius:4px;padding:0 .35rem;font-size:.8rem;white-space:nowrap}
.badge.fail,.badge.error,.badge.vacuous,.badge.undecided{border-width:2px;font-weight:600}
.badge.not_run{border-style:dashed}
.filters{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin:.5rem 0 1rem}
.filters label{font-size:.9rem}
.filters .check{display:flex;gap:.4rem;align-items:center;min-height:2rem}
.filters input[type=checkbox]{min-height:0;width:1.15rem;height:1.15rem}
output{font-size:.9rem;color:var(--soft);min-height:1.5rem}
table{border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
.claims{width:100%}
.claims .group th{background:var(--panel);font-size:.9rem;color:var(--soft)}
.claims td:nth-child(2){font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
font-size:.9rem}
.claims td:nth-child(2){min-width:18rem}
.badges{line-height:1.9}
details.claim{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;background:var(--panel)}
details.claim[open]{background:var(--bg)}
details.claim>summary,details.plain>summary{cursor:pointer;padding:.4rem .7rem}
details.plain>summary{padding-left:0}
details.claim h3,details.plain h2{display:inline;font-size:1rem;font-weight:500;margin:0}
details.plain h2{font-size:1.25rem;font-weight:700}
details.plain{margin:1.5rem 0}
.claim .id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-weight:650}
.claim .body{padding:.2rem 1rem 1rem}
:target{border-color:var(--link)!important;box-shadow:0 0 0 2px var(--link)}
.about{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.5rem 0 1rem}
.about dt{color:var(--soft)}.about dd{margin:0}
.part{border-left:3px solid var(--line);padding:.2rem 0 .2rem 1rem;margin:1rem 0}
.part p{margin:.25rem 0}
.display,.scroll{overflow-x:auto;overflow-y:hidden;padding:.35rem 2px;max-width:100%}
span.scroll{display:inline-block;vertical-align:middle}
.display{font-size:1.1rem;margin:.25rem 0}
svg.formula{display:inline-block;max-width:none;fill:currentColor;overflow:visible}
.math{font-family:"STIX Two Math","STIX Two Text","Cambria Math","Latin Modern Math","DejaVu Serif",serif}
.math sub{font-size:.72em;line-height:0}.math u{font-size:0}
.hypotheses{margin:.2rem 0;padding-left:1.2rem}
.hypotheses li{margin:.25rem 0}
.evidence{margin:.3rem 0}
details.evidence>summary{cursor:pointer}
details.evidence>:not(summary){margin-left:1.2rem}
.steps{padding-left:2.4rem}
.steps li{margin:.4rem 0;padding-bottom:.4rem;border-bottom:1px dotted var(--line)}
.reason{color:var(--soft);font-size:.85rem}
dl.data{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .8rem;margin:.2rem 0;font-size:.9rem}
dl.data dt{color:var(--soft)}dl.data dd{margin:0;min-width:0}
ul.data{margin:0;padding-left:1.1rem}
.legend{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1rem}
.legend dd{margin:0}
.definitions{list-style:none;padding:0}
.definitions li{margin:.3rem 0}
.point{display:flex;flex-wrap:wrap;gap:1rem;align-items:center}
.tokens{flex:none}
.tokens .orbit{fill:none;stroke:var(--soft)}
.tokens line{stroke:var(--link);stroke-width:1.5}.tokens circle:not(.orbit){fill:var(--link)}
.tokens text{fill:currentColor;font-size:10px;text-anchor:middle}
.matrix-value{border-left:1px solid;border-right:1px solid;border-radius:4px}
.matrix-value td{border:0;padding:0 .45rem;text-align:right}
.model th,.model td{font-size:.9rem}
.matrix th[scope=col]{height:11rem;vertical-align:bottom;padding:.2rem}
.matrix th[scope=col] span{writing-mode:vertical-rl;transform:rotate(180deg);white-space:nowrap;font-weight:500}
.matrix td{text-align:center;padding:.15rem .4rem}
.matrix tbody th{font-weight:500;white-space:nowrap}
#figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1rem}
#figures h2{grid-column:1/-1;margin-bottom:0}
figure{margin:0;padding:1rem;border:1px solid var(--line);border-radius:8px}
figure svg{max-width:100%;height:auto}
.chart{display:block;width:100%;max-width:46rem}
.chart text{fill:currentColor;font-size:13px}.chart .tick{fill:var(--soft);font-size:12px}
.chart .grid{stroke:var(--line)}.chart .area{fill:var(--proved);opacity:.2}
.chart .line{fill:none;stroke-width:2.5}
.chart .line.a{stroke:var(--link)}.chart .line.b{stroke:var(--proved);stroke-dasharray:9 4}
.chart .line.c{stroke:var(--refuted);stroke-dasharray:3 4}
.chart text.a{fill:var(--link)}.chart text.b{fill:var(--proved)}.chart text.c{fill:var(--refuted)}
.chart .mark{fill:var(--refuted)}
figcaption{font-size:.95rem;margin-top:.5rem}
footer{border-top:1px solid var(--line);margin-top:3rem;padding-top:1rem;font-size:.9rem;color:var(--soft)}
[hidden]{display:none!important}
@media (max-width:45rem){
h1{padding-top:2.4rem;font-size:1.35rem}
.claims thead{display:none}
.claims td:nth-child(2){min-width:0}
.claims,.claims tbody,.claims tr,.claims td,.claims th{display:block;border:0;padding:.1rem .2rem}
.claims tr.claim{border-bottom:1px solid var(--line);padding:.5rem 0}
.about,.legend,dl.data{grid-template-columns:1fr}
.about dd,.legend dd{margin-left:1rem}
.claim .body{padding:.2rem .6rem 1rem}
.part{padding-left:.6rem}
.chart text{font-size:21px}.chart .tick{font-size:20px}
.totals{gap:.35rem}.total{padding:.3rem .55rem}.total .count{font-size:1.15rem}
}
@media print{
button,.filters,.skip{display:none}
.totals button{display:flex}
body{max-width:none}
details.claim{break-inside:avoid-page;border-color:#999}
.display,.scroll{overflow:visible}
}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
"""
