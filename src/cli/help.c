/* SPDX-License-Identifier: Apache-2.0
 *
 * What is printed from the tables of commands and options: help, the manual page, shell completions.
 */
#include "cli/options.h"

#include <string.h>

enum { WIDTH = 80, INDENT = 26 };

static bool has_option(const struct option_info *info, enum command_id command)
{
    return (info->commands >> command & 1) != 0;
}

/* Adds words, breaking lines before WIDTH; continued lines begin at `indent`, the text stands at `column` now. */
static void add_wrapped(struct buffer *out, const char *text, unsigned indent, unsigned column)
{
    while (*text != '\0') {
        size_t size = strcspn(text, " ");
        if (column + size >= WIDTH && column > indent) {
            buffer_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            buffer_putc(out, ' ');
            column++;
        }
        buffer_add(out, text, size);
        column += (unsigned)size;
        text += size;
        text += *text == ' ';
    }
    buffer_putc(out, '\n');
}

static void add_lines(struct buffer *out, const char *lines, const char *before)
{
    while (*lines != '\0') {
        size_t size = strcspn(lines, "\n");
        buffer_printf(out, "%s%.*s\n", before, (int)size, lines);
        lines += size + (lines[size] == '\n');
    }
}

void options_print_help(struct cli *cli, enum command_id command, struct buffer *out)
{
    const struct command_info *info = &cli_commands[command];
    (void)cli;
    buffer_printf(out, "usage: lanewise %s [OPTIONS] %s\n\n", info->name, info->operands);
    add_wrapped(out, info->text, 0, 0);
    buffer_puts(out, "\nexamples:\n");
    add_lines(out, info->examples, "  ");
    buffer_puts(out, "\noptions:\n");
    for (unsigned i = 0; i < cli_option_count; i++) {
        const struct option_info *option = &cli_option_table[i];
        if (!has_option(option, command))
            continue;
        size_t start = out->size;
        if (option->letter != 0)
            buffer_printf(out, "  -%c, ", option->letter);
        else
            buffer_puts(out, "      ");
        buffer_printf(out, "--%s%s%s", option->name, option->meta != NULL ? " " : "",
                      option->meta != NULL ? option->meta : "");
        unsigned used = (unsigned)(out->size - start);
        if (used + 2 > INDENT)
            buffer_printf(out, "\n%*s", INDENT, "");
        else
            buffer_printf(out, "%*s", (int)(INDENT - used), "");
        add_wrapped(out, option->help, INDENT, INDENT);
    }
    if (command == COMMAND_CHECK)
        buffer_puts(out, "\nexit status: 0 nothing is violated, 1 findings of severity error, 2 usage, input or\ncompile "
                         "error, no kernel matched, 3 a limit was reached, or with --fail-on=unproved\nsomething was left "
                         "unproved\n");
    if (command == COMMAND_RUN || command == COMMAND_TEST || command == COMMAND_REPORT)
        buffer_puts(out, "\nexit status: 0 clean, 1 findings of severity error, 2 usage, input or "
                         "compile\nerror, 3 not finished (a limit or an unsupported instruction)\n");
    if (command == COMMAND_COST)
        buffer_puts(out, "\nexit status: 0 counted, 1 the launch or its run has findings of severity error, 2 usage,\ninput or compile "
                         "error, no kernel matched, 3 not finished (a limit or an unsupported\ninstruction)\n");
    if (command == COMMAND_VERIFY)
        buffer_puts(out, "\nexit status: 0 all as expected, 1 not, 2 usage, input or compile error, "
                         "3 something\nwas skipped\n");
}

static void print_overview(struct buffer *out)
{
    buffer_puts(out, "Lanewise checks CUDA kernels: by proof, and by running them on the CPU warp by warp.\n\n"
                     "usage: lanewise COMMAND [OPTIONS] [OPERANDS]\n\n");
    for (unsigned i = 0; i < COMMAND_COUNT; i++)
        buffer_printf(out, "  %-10s %s\n", cli_commands[i].name, cli_commands[i].summary);
    buffer_puts(out, "\n  lanewise COMMAND --help    options and examples of a command\n"
                     "  lanewise --version         the version\n");
}

/* ---- manual page ------------------------------------------------------------------------------------------ */

/* roff text: backslashes, hyphens and leading dots are special. */
static void add_roff(struct buffer *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        buffer_puts(out, "\\&");
    for (; *text != '\0'; text++) {
        if (*text == '\\')
            buffer_puts(out, "\\e");
        else if (*text == '-')
            buffer_puts(out, "\\-");
        else
            buffer_putc(out, *text);
    }
}

void options_print_manual(struct cli *cli, struct buffer *out)
{
    (void)cli;
    buffer_puts(out, ".TH LANEWISE 1 \"\" \"lanewise " LANEWISE_VERSION "\" \"User Commands\"\n"
                     ".SH NAME\nlanewise \\- check CUDA kernels by proof and by running them on the CPU\n"
                     ".SH SYNOPSIS\n.B lanewise\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIOPERANDS\\fR]\n");
    buffer_puts(out, ".SH COMMANDS\n");
    for (unsigned c = 0; c < COMMAND_COUNT; c++) {
        const struct command_info *info = &cli_commands[c];
        buffer_printf(out, ".SS \"lanewise %s %s\"\n", info->name, info->operands);
        add_roff(out, info->text);
        buffer_puts(out, "\n.PP\n.nf\n");
        for (const char *line = info->examples; *line != '\0';) {
            size_t size = strcspn(line, "\n");
            add_roff(out, arena_text(out->arena, line, size));
            buffer_putc(out, '\n');
            line += size + (line[size] == '\n');
        }
        buffer_puts(out, ".fi\n");
        for (unsigned i = 0; i < cli_option_count; i++) {
            const struct option_info *option = &cli_option_table[i];
            if (!has_option(option, (enum command_id)c))
                continue;
            buffer_puts(out, ".TP\n");
            if (option->letter != 0)
                buffer_printf(out, "\\fB\\-%c\\fR, ", option->letter);
            buffer_puts(out, "\\fB\\-\\-");
            add_roff(out, option->name);
            buffer_puts(out, "\\fR");
            if (option->meta != NULL) {
                buffer_puts(out, " \\fI");
                add_roff(out, option->meta);
                buffer_puts(out, "\\fR");
            }
            buffer_putc(out, '\n');
            add_roff(out, option->help);
            buffer_putc(out, '\n');
        }
    }
    buffer_puts(out, ".SH EXIT STATUS\n.TP\n0\nclean\n.TP\n1\nfindings of severity error\n.TP\n2\nusage, "
                     "input or compile error\n.TP\n3\nnot finished: a limit was reached, or an "
                     "instruction is not supported; with --fail-on=unproved something was left unproved\n");
    buffer_puts(out, ".SH ENVIRONMENT\n.TP\nNO_COLOR\nno colour\n.TP\nLANEWISE_CLANG, LANEWISE_NVCC\nthe "
                     "compilers to use\n.TP\nLANEWISE_DATA\nthe folder that holds shim/ and include/\n"
                     ".TP\nGITHUB_ACTIONS\nwhen set, run also prints GitHub annotations\n");
}

/* ---- completions ------------------------------------------------------------------------------------------ */

static void add_bash(struct buffer *out)
{
    buffer_puts(out, "_lanewise()\n{\n    local word=${COMP_WORDS[COMP_CWORD]} options=\n"
                     "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '");
    for (unsigned c = 0; c < COMMAND_COUNT; c++)
        buffer_printf(out, "%s ", cli_commands[c].name);
    buffer_puts(out, "--help --version' -- \"$word\"))\n        return\n    fi\n"
                     "    case ${COMP_WORDS[1]} in\n");
    for (unsigned c = 0; c < COMMAND_COUNT; c++) {
        buffer_printf(out, "    %s) options='", cli_commands[c].name);
        for (unsigned i = 0; i < cli_option_count; i++)
            if (has_option(&cli_option_table[i], (enum command_id)c))
                buffer_printf(out, "--%s ", cli_option_table[i].name);
        buffer_puts(out, "' ;;\n");
    }
    buffer_puts(out, "    esac\n    case $word in\n"
                     "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                     "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
                     "complete -o filenames -F _lanewise lanewise\n");
}

static void add_quoted(struct buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            buffer_puts(out, "'\\''");
        else if (*text == '[' || *text == ']' || *text == ':')
            buffer_printf(out, "\\%c", *text);
        else
            buffer_putc(out, *text);
    }
}

static void add_zsh(struct buffer *out)
{
    buffer_puts(out, "#compdef lanewise\n_lanewise() {\n    local -a commands\n    commands=(\n");
    for (unsigned c = 0; c < COMMAND_COUNT; c++)
        buffer_printf(out, "        '%s:%s'\n", cli_commands[c].name, cli_commands[c].summary);
    buffer_puts(out, "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
                     "        return\n    fi\n    case $words[2] in\n");
    for (unsigned c = 0; c < COMMAND_COUNT; c++) {
        buffer_printf(out, "    %s)\n        shift words; (( CURRENT-- ))\n        _arguments",
                      cli_commands[c].name);
        for (unsigned i = 0; i < cli_option_count; i++) {
            const struct option_info *option = &cli_option_table[i];
            if (!has_option(option, (enum command_id)c))
                continue;
            buffer_printf(out, " \\\n            '--%s%s[", option->name,
                          option->meta != NULL ? "=" : "");
            add_quoted(out, option->help);
            buffer_puts(out, "]");
            if (option->choices != NULL) {
                buffer_printf(out, ":%s:(", option->name);
                for (int k = 0; option->choices[k] != NULL; k++)
                    buffer_printf(out, "%s%s", k == 0 ? "" : " ", option->choices[k]);
                buffer_puts(out, ")");
            } else if (option->meta != NULL) {
                buffer_printf(out, ":%s:", option->name);
            }
            buffer_puts(out, "'");
        }
        buffer_puts(out, " \\\n            '*:file:_files'\n        ;;\n");
    }
    buffer_puts(out, "    esac\n}\n_lanewise \"$@\"\n");
}

static void add_fish(struct buffer *out)
{
    for (unsigned c = 0; c < COMMAND_COUNT; c++)
        buffer_printf(out, "complete -c lanewise -n __fish_use_subcommand -a %s -d '%s'\n",
                      cli_commands[c].name, cli_commands[c].summary);
    for (unsigned c = 0; c < COMMAND_COUNT; c++)
        for (unsigned i = 0; i < cli_option_count; i++) {
            const struct option_info *option = &cli_option_table[i];
            if (!has_option(option, (enum command_id)c))
                continue;
            buffer_printf(out, "complete -c lanewise -n '__fish_seen_subcommand_from %s' -l %s",
                          cli_commands[c].name, option->name);
            if (option->letter != 0)
                buffer_printf(out, " -s %c", option->letter);
            if (option->choices != NULL) {
                buffer_puts(out, " -x -a '");
                for (int k = 0; option->choices[k] != NULL; k++)
                    buffer_printf(out, "%s%s", k == 0 ? "" : " ", option->choices[k]);
                buffer_puts(out, "'");
            } else if (option->meta != NULL) {
                buffer_puts(out, " -r");
            }
            buffer_puts(out, " -d '");
            for (const char *at = option->help; *at != '\0'; at++)
                buffer_printf(out, *at == '\'' ? "\\%c" : "%c", *at);
            buffer_puts(out, "'\n");
        }
}

bool options_print_completion(struct cli *cli, const char *shell, struct buffer *out)
{
    static const struct {
        const char *name;
        void (*print)(struct buffer *out);
    } shells[] = {{"bash", add_bash}, {"zsh", add_zsh}, {"fish", add_fish}};
    (void)cli;
    for (unsigned i = 0; i < COUNT_OF(shells); i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].print(out);
            return true;
        }
    return false;
}

/* ---- lanewise help ------------------------------------------------------------------------------------------ */

int help_command(struct cli *cli)
{
    struct buffer out;
    const char *topic = cli->options.operands.count > 0 ? cli->options.operands.data[0] : NULL;
    const char *second = cli->options.operands.count > 1 ? cli->options.operands.data[1] : NULL;
    bool known = topic == NULL;
    buffer_init(&out, cli->arena);
    if (topic == NULL)
        print_overview(&out);
    for (unsigned c = 0; topic != NULL && c < COMMAND_COUNT; c++)
        if (strcmp(cli_commands[c].name, topic) == 0) {
            options_print_help(cli, (enum command_id)c, &out);
            known = true;
        }
    if (topic != NULL && strcmp(topic, "man") == 0) {
        options_print_manual(cli, &out);
        known = true;
    }
    if (topic != NULL && strcmp(topic, "completion") == 0) {
        if (second == NULL || !options_print_completion(cli, second, &out)) {
            cli_complain(cli, "lanewise help completion bash", "completions are for bash, zsh or fish");
            return EXIT_INPUT;
        }
        known = true;
    }
    if (!known) {
        cli_complain(cli, "`lanewise help` lists the commands", "no help about `%s`", topic);
        return EXIT_INPUT;
    }
    return cli_write(cli, NULL, out.data, out.size) ? EXIT_CLEAN : EXIT_INPUT;
}
