/* SPDX-License-Identifier: Apache-2.0
 *
 * The picture of a launch: its blocks in a row, then some of them opened: a row a warp, a cell a lane.  A lane's state is told by the shape
 * of its cell, not by colour alone: full, hollow, crossed, a dot.  The same as text stands in a table below.
 *
 * Lanes of one state that stand beside each other are one rectangle with a pattern, so that a block is a hundred elements and not a thousand.
 */
#include "cost/html.h"

enum { CELL = 7, LEFT = 52, TOP = 18, ROW = 11, BAR_LEFT = LEFT + 32 * CELL + 8, BAR_WIDTH = 48, WIDTH = BAR_LEFT + BAR_WIDTH + 62, STRIP = 18 };

enum lane_state { LANE_LIVE, LANE_REST, LANE_DONE, LANE_NONE, LANE_STATE_COUNT };

/* `shape` is drawn in a cell of 7 x 9. */
static const struct {
    const char *name, *shape, *text;
} states[LANE_STATE_COUNT] = {
    {"live", "<rect class=live x=\".5\" y=\".5\" width=\"6\" height=\"8\"/>", "a thread with work"},
    {"rest", "<rect class=rest x=\"1.2\" y=\"1.2\" width=\"4.6\" height=\"6.6\"/>", "a thread without work in a warp that works: idle"},
    {"done", "<path class=done d=\"M1 1.5L6 7.5M6 1.5L1 7.5\"/>", "a thread of a warp without any work: finished early"},
    {"none", "<rect class=none x=\"2.7\" y=\"3.7\" width=\"1.6\" height=\"1.6\"/>", "a slot that no thread fills"},
};

static enum lane_state state_of(const struct cost_warp *warp, unsigned lane)
{
    uint32_t bit = (uint32_t)1 << lane;
    if (!(warp->present & bit))
        return LANE_NONE;
    if (warp->working & bit)
        return LANE_LIVE;
    return warp->working != 0 ? LANE_REST : LANE_DONE;
}

static unsigned count_bits(uint32_t word)
{
    unsigned bits = 0;
    for (; word != 0; word &= word - 1)
        bits++;
    return bits;
}

/* Pattern units are those of the drawing: a pattern begins anew with each group that is moved into place. */
static void write_patterns(struct html *html)
{
    html_puts(html, "<defs>");
    for (unsigned i = 0; i < LANE_STATE_COUNT; i++)
        html_printf(html, "<pattern id=k%up%u width=\"%d\" height=\"%d\" patternUnits=\"userSpaceOnUse\">%s</pattern>", html->kernel, i, CELL, ROW,
                    states[i].shape);
    html_puts(html, "</defs>");
}

static void write_key(struct html *html)
{
    html_puts(html, "<dl class=key>");
    for (unsigned i = 0; i < LANE_STATE_COUNT; i++)
        html_printf(html, "<dt><svg class=picture viewBox=\"0 0 28 9\" aria-hidden=true><rect width=\"28\" height=\"9\" fill=\"url(#k%up%u)\"/></svg>"
                          "<dd>%s",
                    html->kernel, i, states[i].text);
    html_puts(html, "</dl>\n");
}

/* ---- the launch as a row of blocks ------------------------------------------------------------------------------------- */

static const struct cost_block *find_shown(const struct cost_launch *launch, uint64_t number)
{
    for (uint32_t i = 0; i < launch->blocks_shown.count; i++)
        if (launch->blocks_shown.data[i].number == number)
            return &launch->blocks_shown.data[i];
    return NULL;
}

enum { STRIP_BLOCKS = 18, STRIP_END = 3 };

/* All blocks, or the first, a gap, the last ones and what is opened below. */
static void write_strip(struct html *html)
{
    const struct cost_launch *launch = &html->result->launch;
    bool all = launch->blocks <= STRIP_BLOCKS;
    unsigned places = all ? (unsigned)launch->blocks : STRIP_BLOCKS;
    html_printf(html, "<svg class=picture viewBox=\"0 0 %d 26\" role=img aria-label=\"", WIDTH);
    html_count_of(html, launch->blocks, "block", "blocks");
    html_puts(html, " in a row\">");
    for (unsigned i = 0; i < places; i++) {
        bool is_gap = !all && i == STRIP_BLOCKS - STRIP_END - 1;
        bool is_end = !all && i > STRIP_BLOCKS - STRIP_END - 1;
        uint64_t number = is_end ? launch->blocks - (places - i) : i;
        int x = 2 + (int)i * STRIP;
        if (is_gap) {
            html_printf(html, "<text x=\"%d\" y=\"16\">\xe2\x80\xa6</text>", x + 3);
            continue;
        }
        const struct cost_block *shown = find_shown(launch, number);
        html_printf(html, "<rect class=frame x=\"%d\" y=\"3\" width=\"14\" height=\"14\"/>", x);
        if (shown != NULL && shown->threads != 0) {
            double part = 12.0 * shown->threads_working / shown->threads;
            html_printf(html, "<rect class=live x=\"%d\" y=\"%.1f\" width=\"12\" height=\"%.1f\"/><path class=shown d=\"M%d 20h14v3h-14z\"/>", x + 1,
                        16 - part, part, x);
        }
    }
    html_puts(html, "</svg>\n<p class=quiet>");
    html_count_of(html, launch->blocks, "block", "blocks");
    html_puts(html, " of ");
    html_count_of(html, launch->threads_per_block, "thread", "threads");
    html_puts(html, " = ");
    html_count_of(html, launch->warps_per_block, "warp", "warps");
    html_puts(html, ". Those with a bar below are opened here; they are filled as far as their threads have work.</p>\n");
}

/* ---- one block ----------------------------------------------------------------------------------------------------------- */

static void write_warp(struct html *html, const struct cost_warp *warp, uint32_t row, uint64_t most)
{
    html_printf(html, "<g transform=\"translate(0 %u)\"><text x=\"0\" y=\"8.5\">warp %u</text><g transform=\"translate(%d 0)\">", TOP + row * ROW,
                warp->index, LEFT);
    for (unsigned lane = 0; lane < 32;) {
        unsigned begin = lane;
        enum lane_state state = state_of(warp, lane);
        while (lane < 32 && state_of(warp, lane) == state)
            lane++;
        html_printf(html, "<rect x=\"%u\" width=\"%u\" height=\"9\" fill=\"url(#k%up%d)\"/>", begin * CELL, (lane - begin) * CELL, html->kernel,
                    (int)state);
    }
    html_puts(html, "</g>");
    if (html_has_run(html)) {
        double part = most == 0 ? 0 : (double)BAR_WIDTH * (double)warp->issued / (double)most;
        html_printf(html, "<rect class=hot x=\"%d\" y=\"1\" width=\"%.1f\" height=\"7\"/><text x=\"%.1f\" y=\"8.5\">", BAR_LEFT, part,
                    BAR_LEFT + part + 4);
        html_number(html, warp->issued);
        html_puts(html, "</text>");
    } else {
        html_printf(html, "<text x=\"%d\" y=\"8.5\">%u of %u work</text>", BAR_LEFT, count_bits(warp->working & warp->present),
                    count_bits(warp->present));
    }
    html_puts(html, "</g>\n");
}

static void write_block_title(struct html *html, const struct cost_block *block)
{
    const struct cost_launch *launch = &html->result->launch;
    html_puts(html, block->role == NULL ? "Block" : "The ");
    html_text(html, block->role, HTML_PTX_BYTES);
    html_puts(html, block->role == NULL ? " " : " block, ");
    html_number(html, block->number);
    if (launch->dimensions > 1)
        html_printf(html, " (%u,%u,%u)", block->at[0], block->at[1], block->at[2]);
    html_puts(html, ": ");
    html_number(html, block->threads_working);
    html_puts(html, " of ");
    html_count_of(html, block->threads, "thread", "threads");
    html_puts(html, block->warps_working == 1 ? " work, 1 of " : " work, ");
    if (block->warps_working != 1) {
        html_number(html, block->warps_working);
        html_puts(html, " of ");
    }
    html_count_of(html, block->warp_count, "warp", "warps");
}

static void write_block_table(struct html *html, const struct cost_block *block)
{
    html_puts(html, "<details><summary>The same as a table</summary><div class=scroll><table class=plain><thead><tr><th scope=col class=n>warp"
                    "<th scope=col class=n>threads<th scope=col class=n>with work");
    if (html_has_run(html))
        html_puts(html, "<th scope=col class=n>issued<th scope=col class=n>active lanes<th scope=col class=n>times divided");
    html_puts(html, "<tbody>\n");
    for (uint32_t i = 0; i < block->warp_count; i++) {
        const struct cost_warp *warp = &block->warps[i];
        html_printf(html, "<tr><th scope=row class=n>%u<td class=n>%u<td class=n>%u", warp->index, count_bits(warp->present),
                    count_bits(warp->working & warp->present));
        if (html_has_run(html)) {
            html_puts(html, "<td class=n>");
            html_number(html, warp->issued);
            html_printf(html, "<td class=n>%.1f<td class=n>", warp->issued == 0 ? 0.0 : (double)warp->threads / (double)warp->issued);
            html_number(html, warp->divided);
        }
        html_puts(html, "\n");
    }
    html_puts(html, "</table></div></details>\n");
}

static void write_block(struct html *html, const struct cost_block *block)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (block->warps[i].issued > most)
            most = block->warps[i].issued;
    html_puts(html, "<h4>");
    write_block_title(html, block);
    html_printf(html, "</h4>\n<svg class=picture viewBox=\"0 0 %d %u\" role=img aria-label=\"", WIDTH, TOP + block->warp_count * ROW + 4);
    write_block_title(html, block);
    html_printf(html, "\"><text class=small x=\"%d\" y=\"12\">lane 0</text><text class=small x=\"%d\" y=\"12\" text-anchor=\"end\">31</text>", LEFT,
                LEFT + 32 * CELL);
    if (html_has_run(html))
        html_printf(html, "<text class=small x=\"%d\" y=\"12\">issued</text>", BAR_LEFT);
    html_puts(html, "\n");
    for (uint32_t i = 0; i < block->warp_count; i++)
        write_warp(html, &block->warps[i], i, most);
    html_puts(html, "</svg>\n");
    write_block_table(html, block);
}

void html_write_picture(struct html *html)
{
    const struct cost_launch *launch = &html->result->launch;
    if (!launch->known || launch->blocks_shown.count == 0)
        return;
    html_puts(html, "<svg class=\"picture defs\" viewBox=\"0 0 1 1\" aria-hidden=true>");
    write_patterns(html);
    html_puts(html, "</svg>\n");
    write_strip(html);
    write_key(html);
    for (uint32_t i = 0; i < launch->blocks_shown.count; i++)
        write_block(html, &launch->blocks_shown.data[i]);
}
