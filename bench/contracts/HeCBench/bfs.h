/* SPDX-License-Identifier: Apache-2.0
 * file: src/bfs-cuda/bfs.cu
 * kernels: Kernel Kernel2
 * cflags: -std=c++17 -I../bfs-sycl
 *
 * Where a node's edges begin and how many they are stands in an array of structs, which no contract can bound.
 */
struct node {
    int starting, no_of_edges;
};

LW_BLOCK(256) LW_DOMAIN(no_of_nodes) LW_REQUIRES(no_of_nodes >= 1, no_of_nodes <= 1073741824)
void Kernel(const struct node *d_graph_nodes LW_SHAPE(no_of_nodes), const int *d_graph_edges LW_VALUES(0, no_of_nodes), char *d_graph_mask LW_SHAPE(no_of_nodes),
            char *d_updatind_graph_mask LW_SHAPE(no_of_nodes), const char *d_graph_visited LW_SHAPE(no_of_nodes), int *d_cost LW_SHAPE(no_of_nodes),
            int no_of_nodes);

LW_BLOCK(256) LW_DOMAIN(no_of_nodes) LW_REQUIRES(no_of_nodes >= 1, no_of_nodes <= 1073741824)
void Kernel2(char *d_graph_mask LW_SHAPE(no_of_nodes), char *d_updatind_graph_mask LW_SHAPE(no_of_nodes), char *d_graph_visited LW_SHAPE(no_of_nodes),
             char *d_over LW_SHAPE(1), int no_of_nodes);
